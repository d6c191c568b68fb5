package io.cascade.model.multipath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WaterFillingTest {

  @Test
  void workedValue() {
    WaterFilling filling = WaterFilling.of(1_250_000, List.of(path(1e6, 1), path(4e6, 2)));

    assertThat(filling.seconds()).isEqualTo(3.8, within(1e-9));
    assertThat(filling.bits().get(0)).isEqualTo(2.8e6, within(1e-3));
    assertThat(filling.bits().get(1)).isEqualTo(7.2e6, within(1e-3));
  }

  @Test
  void aPathThatWouldOnlyDelayGetsNothing() {
    WaterFilling filling = WaterFilling.of(125_000, List.of(path(1e9, 10), path(1e6, 1)));

    assertThat(filling.seconds()).isEqualTo(2, within(1e-9));
    assertThat(filling.bits()).containsExactly(0.0, 1e6);
  }

  @Test
  void noPathsAreNoAnswer() {
    assertThatThrownBy(() -> WaterFilling.of(1, List.of()))
        .hasMessage("paths: [] (expected: at least one)");
  }

  /** Every path pours from its latency on; the clock stops when all is there. */
  @ParameterizedTest
  @MethodSource("seeds")
  void agreesWithAClockThatTicks(long seed) {
    Random random = new Random(seed);
    List<WaterFilling.Path> paths = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      paths.add(path(1e5 * (1 + random.nextInt(100)), random.nextDouble() * 2));
    }
    long bytes = 1L + random.nextInt(2_000_000);

    WaterFilling filling = WaterFilling.of(bytes, paths);

    double tick = filling.seconds() / 20_000;
    double poured = 0;
    int ticks = 0;
    while (poured < 8.0 * bytes) {
      double now = ticks++ * tick;
      poured +=
          paths.stream()
              .mapToDouble(path ->
                  path.bitsPerSecond() * Math.clamp(now + tick - path.latencySeconds(), 0, tick))
              .sum();
    }
    assertThat(ticks * tick).isEqualTo(filling.seconds(), within(2 * tick));
    assertThat(filling.bits().stream().mapToDouble(Double::doubleValue).sum())
        .isEqualTo(8.0 * bytes, within(1e-6 * bytes));
  }

  static List<Long> seeds() {
    return LongStream.range(0, 100).boxed().toList();
  }

  private static WaterFilling.Path path(double bitsPerSecond, double latencySeconds) {
    return new WaterFilling.Path(bitsPerSecond, latencySeconds);
  }
}
