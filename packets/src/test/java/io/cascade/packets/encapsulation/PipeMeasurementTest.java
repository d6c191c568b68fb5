package io.cascade.packets.encapsulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.pipes.PipeProperties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PipeMeasurementTest {
  private static final long MILLI = 1_000_000L;
  private static final long CLOCKS_NANOS = 77_000_000 * MILLI;

  @Test
  void acknowledgmentsReturnByTheQuickestPipe() {
    PipeMeasurement quick = measurement(10, 12, CLOCKS_NANOS);
    PipeMeasurement slow = measurement(100, 90, CLOCKS_NANOS);

    assertThat(roundTripNanos(quick, quick, slow)).isEqualTo(22 * MILLI);
    assertThat(roundTripNanos(slow, quick, slow)).isEqualTo(112 * MILLI);
  }

  @Test
  void theQuickestOneBackMayBeTheSlowestOneOut() {
    PipeMeasurement first = measurement(10, 90, -CLOCKS_NANOS);
    PipeMeasurement second = measurement(80, 15, -CLOCKS_NANOS);

    assertThat(roundTripNanos(first, first, second)).isEqualTo(25 * MILLI);
    assertThat(roundTripNanos(second, first, second)).isEqualTo(95 * MILLI);
  }

  @Test
  void endsWithDifferentClocksAreNotCompared() {
    PipeMeasurement one = measurement(10, 10, CLOCKS_NANOS);
    PipeMeasurement other = measurement(100, 100, 0);

    assertThat(roundTripNanos(one, one, other)).isEqualTo(20 * MILLI);
    assertThat(roundTripNanos(other, one, other)).isEqualTo(200 * MILLI);
  }

  @Test
  void whatComesFromTheOtherEndIsComparedByItsOwnDirection() {
    PipeMeasurement quickOut = measurement(10, 90, CLOCKS_NANOS);
    PipeMeasurement quickBack = measurement(80, 15, CLOCKS_NANOS);
    long least = quickBack.returnNanos();

    assertThat(quickOut.laterBy(least)).isEqualTo(75 * MILLI);
    assertThat(quickBack.laterBy(least)).isZero();
    assertThat(measurement(10, 90, 0).laterBy(least))
        .as("with another clock")
        .isEqualTo(100 * MILLI);
  }

  private static long roundTripNanos(PipeMeasurement of, PipeMeasurement... all) {
    long least = Stream.of(all).mapToLong(PipeMeasurement::returnNanos).min().orElseThrow();
    return of.withReturn(least).roundTripNanos();
  }

  private static PipeMeasurement measurement(long outMillis, long backMillis, long clocksNanos) {
    PipeProperties properties =
        new PipeProperties((outMillis + backMillis) * MILLI, 1_000_000, 10_000, 0);
    return new PipeMeasurement(properties, outMillis * MILLI + clocksNanos, 0);
  }
}
