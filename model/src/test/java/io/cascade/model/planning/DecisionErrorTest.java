package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the decision is wrong when the truth is known and the losses are drawn from it. */
@Tag("slow")
class DecisionErrorTest {

  private static final int DRAWS = 600;

  private final RoutePlanner planner = new RoutePlanner();

  /**
   * Twice the round trip per hop and four times less loss: no gain with Reno's square root. To take
   * it costs nothing.
   */
  @ParameterizedTest
  @CsvSource({"0.004, 2000", "0.004, 20000", "0.02, 500", "0.001, 1000"})
  void aCascadeThatGainsNothingIsRarelyTaken(double loss, int probes) {
    assertThat(share(Decision.CASCADE, 64, loss, 1, 128, loss / 4, probes)).isLessThan(0.1);
  }

  /** Taking it costs a quarter of the time. */
  @ParameterizedTest
  @CsvSource({"0.004, 2000", "0.004, 20000", "0.02, 500", "0.001, 1000"})
  void aCascadeThatTakesAQuarterLongerIsNextToNeverTaken(double loss, int probes) {
    assertThat(share(Decision.CASCADE, 64, loss, 1, 160, loss / 4, probes)).isLessThan(0.03);
  }

  @Test
  void theLuckiestOfFiveCascadesThatGainNothingIsRarelyTaken() {
    // a little more than a quarter of the loss, for the timeouts that it spares
    assertThat(share(Decision.CASCADE, 64, 0.004, 5, 128, 0.00105, 20_000)).isLessThan(0.1);
  }

  @ParameterizedTest
  @CsvSource({"0.004, 2000", "0.004, 20000", "0.02, 500", "0.001, 1000"})
  void aCascadeThatGainsHalfIsRarelyRefused(double loss, int probes) {
    assertThat(share(Decision.DIRECT, 96, loss, 1, 64, loss, probes)).isLessThan(0.05);
  }

  @Test
  void withManyProbesTheTruthIsUsuallyFound() {
    assertThat(share(Decision.CASCADE, 128, 0.004, 1, 64, 0.004, 20_000)).isGreaterThan(0.9);
  }

  private double share(
      Decision decision,
      long directRttMillis,
      double directLoss,
      int relays,
      long hopRttMillis,
      double hopLoss,
      int probes) {
    Random random = new Random(1);
    RouteQuestion request =
        RouteQuestion.between("s", "d")
            .maxRelays(1)
            .congestionControl(CongestionControl.RENO, CongestionControl.RENO)
            .build();
    int count = 0;
    for (int i = 0; i < DRAWS; i++) {
      Topology.Builder drawn =
          Topology.builder().link("s", "d", draw(random, directRttMillis, directLoss, probes));
      for (int relay = 0; relay < relays; relay++) {
        drawn.link("s", "r" + relay, draw(random, hopRttMillis, hopLoss, probes));
        drawn.link("r" + relay, "d", draw(random, hopRttMillis, hopLoss, probes));
      }
      count += planner.plan(drawn.build(), request).decision() == decision ? 1 : 0;
    }
    return (double) count / DRAWS;
  }

  private static LinkEstimate draw(Random random, long rttMillis, double loss, int probes) {
    int lost = 0;
    for (int i = 0; i < probes; i++) {
      lost += random.nextDouble() < loss ? 1 : 0;
    }
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(lost, probes));
  }
}
