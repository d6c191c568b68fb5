package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

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

  @Test
  void parallelConnectionsAddUpToTheCapacity() {
    MathisThroughput mathis = MathisThroughput.periodicLoss(1);
    PathConditions path = new PathConditions(0.064, 0.001, 1448, 32e6);
    double one = mathis.bitsPerSecond(path);
    double unlimited = Double.POSITIVE_INFINITY;
    assertThat(SteadyRate.ofParallel(4, mathis, path, unlimited))
        .isEqualTo(new SteadyRate(4 * one, RateLimit.CONGESTION_CONTROL));
    assertThat(SteadyRate.ofParallel(5, mathis, path, unlimited))
        .isEqualTo(new SteadyRate(32e6, RateLimit.CAPACITY));
    assertThat(SteadyRate.ofParallel(2, mathis, path, 16_384))
        .isEqualTo(new SteadyRate(2 * 2.048e6, RateLimit.RECEIVE_WINDOW));
  }

  @Test
  void parallelConnectionsGainNothingWhereOneFillsTheCapacity() {
    PathConditions path = new PathConditions(0.064, 0.001, 1448, 32e6);
    double one = BbrThroughput.V1.bitsPerSecond(path);
    double eight =
        SteadyRate.ofParallel(8, BbrThroughput.V1, path, Double.POSITIVE_INFINITY).bitsPerSecond();
    assertThat(eight).isCloseTo(one, within(1e-6));
  }

  @Test
  void refusesNoConnection() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SteadyRate.ofParallel(0, RENO, PathConditions.uncapped(0.064, 0.001, 1448), 1e6))
        .withMessage("connections: 0 (expected: >= 1)");
  }

  /** 40 packets per round trip; at a tenth of a per mille the sawtooth stays below them. */
  @Test
  void namesTheWindowWhereItIsPartOfTheModel() {
    PathConditions path = new PathConditions(0.1, 1e-4, 1000, 30e6);
    SteadyRate rate = SteadyRate.of(PftkThroughput.LINUX, path, 40_000);
    assertThat(rate.limit()).isEqualTo(RateLimit.RECEIVE_WINDOW);
    assertThat(rate.bitsPerSecond()).isBetween(3.0e6, 3.2e6);
    assertThat(SteadyRate.of(PftkThroughput.LINUX, path, 4_000_000).limit())
        .isEqualTo(RateLimit.CONGESTION_CONTROL);
  }
}
