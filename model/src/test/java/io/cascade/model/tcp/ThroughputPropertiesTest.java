package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every model, over random paths. */
class ThroughputPropertiesTest {

  private static final int PATHS = 1000;

  static Stream<ThroughputModel> models() {
    return Stream.of(
        MathisThroughput.RANDOM_LOSS,
        MathisThroughput.periodicLoss(2),
        new CubicThroughput(),
        BbrThroughput.V1,
        BbrThroughput.V3);
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
