package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided of the costs of two ways. */
class VerdictTest {
  private static final double CONFIDENCE = 0.975;

  /**
   * The cascade takes a second, known to a factor; the direct path {@code gain} seconds, to as
   * much.
   */
  @ParameterizedTest
  @CsvSource({
    "1.35, 1.4, CASCADE",
    "1.15, 1.1, CASCADE",
    "1.15, 1.4, UNDECIDED",
    "1.00, 1.1, DIRECT",
    "1.00, 1.4, UNDECIDED",
    "0.85, 1.4, DIRECT",
    "3.00, 9.0, UNDECIDED",
    "1.01, 1.0, DIRECT",
    "1.09, 1.0, CASCADE",
    "1.03, 1.05, DIRECT"
  })
  void whatCostsLittleOnAverageIsDecided(double gain, double factor, Decision decision) {
    assertThat(
            Verdict.of(
                    false,
                    new Interval(gain / factor, gain, gain * factor),
                    new Interval(1 / factor, 1, factor),
                    CONFIDENCE)
                .decision())
        .isEqualTo(decision);
  }

  @Test
  void whatNothingBoundsIsNeverTaken() {
    Interval open = new Interval(1, 1, Double.POSITIVE_INFINITY);
    assertThat(Verdict.of(false, new Interval(4, 5, 6), open, CONFIDENCE).decision())
        .isEqualTo(Decision.UNDECIDED);
    assertThat(Verdict.of(false, new Interval(0.5, 0.6, 0.7), open, CONFIDENCE).decision())
        .as("it may be ruled out")
        .isEqualTo(Decision.DIRECT);
  }

  /** One relay on the source's host, another half way. Nothing is known of the far links' rates. */
  @Test
  void aWayOverTheDirectPathItselfGainsNothing() {
    LinkEstimate direct = link(192).withCapacity(new Capacity.AtLeast(34e6));
    Topology.Builder topology =
        Topology.builder()
            .link("s", "d", direct)
            .link("s", "home", link(1).withCapacity(Rate.ofMegabits(1_000)))
            .link("home", "d", direct);
    Plan plan = plan(topology.build());
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);

    Plan other =
        plan(
            topology
                .link("s", "r1", link(90).withCapacity(new Capacity.AtLeast(0)))
                .link("r1", "d", link(90).withCapacity(new Capacity.AtLeast(0)))
                .build());
    assertThat(other.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(other.bestCascade().orElseThrow().route().relays()).containsExactly("r1");
    assertThat(other.measureNext())
        .extracting(Measurement::to)
        .as("tests are spent on the way that may gain")
        .isEqualTo(List.of("r1", "d"));
  }

  private static Plan plan(Topology topology) {
    return new RoutePlanner().plan(topology, PlanRequest.between("s", "d").build());
  }

  private static LinkEstimate link(long rttMillis) {
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(1, 400));
  }
}
