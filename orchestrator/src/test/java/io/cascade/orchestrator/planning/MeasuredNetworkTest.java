package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The age of the evidence behind a plan. */
class MeasuredNetworkTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final MeasuredNetwork network = new MeasuredNetwork(null);

  @Test
  void theLinkThatWasMeasuredLongestAgoCounts() {
    link(SOURCE, DESTINATION, 2, null);
    link(SOURCE, "r1", 30, null);
    link("r1", DESTINATION, 5, null);

    assertThat(measuredAt()).contains(NOW.minusSeconds(30));
  }

  @Test
  void aRateThatWasSeenCountsInThePlaceOfProbes() {
    link(SOURCE, DESTINATION, 2, 600L);
    link(SOURCE, "r1", 3, 4L);
    link("r1", DESTINATION, 5, null);

    assertThat(measuredAt()).contains(NOW.minusSeconds(600));
  }

  @Test
  void aRateThatIsForgottenDoesNotCount() {
    link(SOURCE, DESTINATION, 2, Duration.ofDays(2).toSeconds());

    assertThat(measuredAt()).contains(NOW.minusSeconds(2));
  }

  @Test
  void whatNobodyMeasuredHasNoAge() {
    network.beside(SOURCE, "r1");
    assertThat(measuredAt()).isEmpty();

    link("r1", DESTINATION, 5, null);
    assertThat(measuredAt()).contains(NOW.minusSeconds(5));
  }

  private void link(String from, String to, long probedSecondsAgo, @Nullable Long seenSecondsAgo) {
    network.link(
        from,
        to,
        new MeasuredLink(
            from,
            to,
            new LinkWindow.Counts(10_000, 10, 20.0, 20.0, null, NOW.minusSeconds(probedSecondsAgo)),
            seenSecondsAgo == null
                ? Transfers.NONE
                : Transfers.atLeast(1e7, NOW.minusSeconds(seenSecondsAgo)),
            null,
            false,
            NOW));
  }

  private Optional<Instant> measuredAt() {
    return network.measuredAt(
        new RoutePlanner()
            .plan(network.topology(), RouteQuestion.between(SOURCE, DESTINATION).build()));
  }
}
