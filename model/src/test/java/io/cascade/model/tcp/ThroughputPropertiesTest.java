package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every model, over random paths. */
class ThroughputPropertiesTest {

  private static final int PATHS = 1000;

  static Stream<ThroughputModel> models() {
    return Stream.of(
        MathisThroughput.RANDOM_LOSS,
        MathisThroughput.periodicLoss(2),
        PftkThroughput.LINUX,
        // with b = 2, for which the branches meet
        PftkThroughput.LINUX.withPacketsPerAck(2).withWindow(64),
        new CubicThroughput(),
        new TimeoutThroughput(MathisThroughput.RANDOM_LOSS),
        new TimeoutThroughput(new CubicThroughput()),
        BbrThroughput.V1,
        BbrThroughput.V3,
        new CodedThroughput());
  }

  @ParameterizedTest
  @MethodSource("models")
  void isNeverFasterWithMoreLoss(ThroughputModel model) {
    Random random = new Random(1);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      double more =
          path.lossProbability() + (1 - path.lossProbability()) * random.nextDouble() * 0.1;
      assertThat(rate(model, path.rttSeconds(), more, path.payloadCapacityBitsPerSecond()))
          .isLessThanOrEqualTo(model.bitsPerSecond(path));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void isNeverFasterOverALongerRoundTrip(ThroughputModel model) {
    Random random = new Random(2);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      if (model instanceof CodedThroughput) {
        return; // Its efficiency grows with the packets of a round trip.
      }
      double longer = path.rttSeconds() * (1 + random.nextDouble());
      assertThat(rate(model, longer, path.lossProbability(), path.payloadCapacityBitsPerSecond()))
          .isLessThanOrEqualTo(model.bitsPerSecond(path));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void isNeverSlowerWithMoreCapacity(ThroughputModel model) {
    Random random = new Random(3);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      double more = path.payloadCapacityBitsPerSecond() * (1 + random.nextDouble());
      assertThat(rate(model, path.rttSeconds(), path.lossProbability(), more))
          .isGreaterThanOrEqualTo(model.bitsPerSecond(path));
    }
  }

  /** Every formula counts packets: twice as large, they carry twice as much. */
  @ParameterizedTest
  @MethodSource("models")
  void growsWithThePacketWhereCapacityDoes(ThroughputModel model) {
    Random random = new Random(4);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      PathConditions twice =
          new PathConditions(
              path.rttSeconds(),
              path.lossProbability(),
              2 * path.mssBytes(),
              2 * path.payloadCapacityBitsPerSecond());
      double rate = model.bitsPerSecond(path);
      assertThat(model.bitsPerSecond(twice)).isCloseTo(2 * rate, within(1e-9 * rate));
    }
  }

  /** Time has no scale of its own in Reno's formulas; a timeout scales along. */
  @Test
  void renoHalvesWhereTimeDoubles() {
    Random random = new Random(5);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      double loss = path.lossProbability();
      double rtt = path.rttSeconds();
      PftkThroughput pftk = PftkThroughput.LINUX.withWindow(50);
      double timeout = 4 * rtt;
      double slow = rate(pftk.withRetransmissionTimeout(2 * timeout), 2 * rtt, loss, 1e9);
      double quick = rate(pftk.withRetransmissionTimeout(timeout), rtt, loss, 1e9);
      assertThat(2 * slow).isCloseTo(quick, within(1e-9 * quick));
      double mathis = rate(MathisThroughput.RANDOM_LOSS, rtt, loss, 1e9);
      assertThat(2 * rate(MathisThroughput.RANDOM_LOSS, 2 * rtt, loss, 1e9))
          .isCloseTo(mathis, within(1e-9 * mathis));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void isNeverMoreThanTheCapsOnceCapped(ThroughputModel model) {
    Random random = new Random(6);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      double window = 1000 + random.nextDouble() * 1e6;
      double rate = SteadyRate.of(model, path, window).bitsPerSecond();
      assertThat(rate)
          .isLessThanOrEqualTo(path.payloadCapacityBitsPerSecond())
          .isLessThanOrEqualTo(8 * window / path.rttSeconds())
          .isLessThanOrEqualTo(model.bitsPerSecond(path));
    }
  }

  @Test
  void pftkNeverDeliversMoreThanItSends() {
    Random random = new Random(7);
    for (int i = 0; i < PATHS; i++) {
      PathConditions path = any(random);
      PftkThroughput model = PftkThroughput.LINUX.withWindow(1 + random.nextInt(200));
      assertThat(model.deliveredPacketsPerSecond(path.rttSeconds(), path.lossProbability()))
          .isLessThanOrEqualTo(
              model.sendPacketsPerSecond(path.rttSeconds(), path.lossProbability()));
    }
  }

  private static double rate(ThroughputModel model, double rtt, double loss, double capacity) {
    return model.bitsPerSecond(new PathConditions(rtt, loss, 1448, capacity));
  }

  private static PathConditions any(Random random) {
    return new PathConditions(
        0.001 + random.nextDouble() * 0.5,
        Math.pow(10, -7 * random.nextDouble()),
        1448,
        Math.pow(10, 5 + 5 * random.nextDouble()));
  }
}
