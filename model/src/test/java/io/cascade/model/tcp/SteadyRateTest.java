package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SteadyRateTest {

  private static final MathisThroughput RENO = MathisThroughput.RANDOM_LOSS;

  @Test
  void isTheModelsWhereNothingElseLimits() {
    PathConditions path = new PathConditions(0.064, 0.001, 1448, 30e6);
    assertThat(SteadyRate.of(RENO, path))
        .isEqualTo(new SteadyRate(RENO.bitsPerSecond(path), RateLimit.CONGESTION_CONTROL));
  }

  @Test
  void isTheCapacityWhereLossIsSmall() {
    assertThat(SteadyRate.of(RENO, new PathConditions(0.064, 1e-6, 1448, 30e6)))
        .isEqualTo(new SteadyRate(30e6, RateLimit.CAPACITY));
  }

  @Test
  void isAWindowPerRoundTripWhereTheReceiverLimits() {
    assertThat(SteadyRate.of(RENO, new PathConditions(0.064, 1e-6, 1448, 30e6), 65536))
        .isEqualTo(new SteadyRate(8.192e6, RateLimit.RECEIVE_WINDOW));
  }

  @Test
  void isUnlimitedWhereNothingIsKnown() {
    assertThat(SteadyRate.of(BbrThroughput.V1, PathConditions.uncapped(0.064, 0.001, 1448)))
        .isEqualTo(new SteadyRate(Double.POSITIVE_INFINITY, RateLimit.NOTHING_KNOWN));
  }

  @Test
  void refusesAWindowOfNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SteadyRate.of(RENO, PathConditions.uncapped(0.064, 0.001, 1448), 0));
  }
}
