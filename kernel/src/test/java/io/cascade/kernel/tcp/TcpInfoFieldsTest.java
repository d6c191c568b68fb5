package io.cascade.kernel.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpInfoFieldsTest {
  private static final int ROUND_TRIP_AT = 68;
  private static final int DEVIATION_AT = 72;
  private static final int WINDOW_AT = 80;

  /** The first line is of a connection that lost 10 % over 40 ms and had no queue before it. */
  @ParameterizedTest
  @CsvSource({
    "63942, 20488, 5, 43454",
    "63942, 20488, 10, 43454",
    "63942, 20488, 11, 63942",
    "15000, 60000, 2, 0",
  })
  void delayedAcknowledgmentsOfFewSegmentsAreNoQueue(
      int rttMicros, int deviationMicros, int windowSegments, long queuedMicros) {
    ByteBuffer raw =
        ByteBuffer.allocate(TcpInfoFields.LEAST_BYTES)
            .order(ByteOrder.nativeOrder())
            .putInt(ROUND_TRIP_AT, rttMicros)
            .putInt(DEVIATION_AT, deviationMicros)
            .putInt(WINDOW_AT, windowSegments);

    assertThat(new TcpInfoFields(raw).queuedRttMicros()).isEqualTo(queuedMicros);
  }
}
