package io.cascade.model.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExplorationTest {
  private static final int DECISIONS = 2_000;

  /** Nobody can tell whether a or b is better; c is out of the question. */
  private final RouteAnswer plan =
      new RoutePlanner()
          .plan(
              Topology.builder()
                  .link("s", "d", link(200, 20))
                  .link("s", "a", link(40, 20))
                  .link("a", "d", link(40, 20))
                  .link("s", "b", link(40, 21))
                  .link("b", "d", link(40, 21))
                  .link("s", "c", link(190, 3_000))
                  .link("c", "d", link(190, 3_000))
                  .build(),
              RouteQuestion.between("s", "d").bytes(1_000_000_000).maxRelays(1).build());

  @Test
  void offMeansNever() {
    assertThat(choices(0, 1)).allMatch(Optional::isEmpty);
  }

  @Test
  void aShareOfDecisionsTriesWhatMayBeAsGood() {
    List<Optional<Candidate>> choices = choices(0.05, 1);

    assertThat(choices.stream().filter(Optional::isPresent).count()).isBetween(60L, 140L);
    assertThat(choices.stream().flatMap(Optional::stream))
        .allMatch(candidate -> candidate.route().relays().equals(List.of("b")));
  }

  @Test
  void theSameSeedTriesTheSame() {
    assertThat(choices(0.3, 7)).isEqualTo(choices(0.3, 7));
  }

  @Test
  void withoutACascadeThereIsNothingToTry() {
    RouteAnswer alone =
        new RoutePlanner()
            .plan(
                Topology.builder().link("s", "d", link(20, 1)).build(),
                RouteQuestion.between("s", "d").build());

    assertThat(new Exploration(1, new Random(1)).instead(alone)).isEmpty();
  }

  private List<Optional<Candidate>> choices(double share, long seed) {
    Exploration exploration = new Exploration(share, new Random(seed));
    return IntStream.range(0, DECISIONS).mapToObj(_ -> exploration.instead(plan)).toList();
  }

  private static LinkEstimate link(int millis, long lost) {
    return LinkEstimate.of(Duration.ofMillis(millis), new LossEstimate(lost, 20_000));
  }
}
