package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The peers that count as silent. Real streams test that the kernel's figures are read. */
class TcpInfoTest {
  private static final int ESTABLISHED = 1;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @ParameterizedTest
  @CsvSource({
    // unacknowledged segments, unanswered probes, seconds since anything was acknowledged
    "1, 0, 30, true",
    "1, 0, 29, false",
    "0, 3, 30, true", // its window was shut, or nothing was said, and it does not answer
    "0, 3, 29, false",
    "0, 2, 300, false", // one lost, one on its way: shut windows are probed every two minutes
    "0, 0, 300, false", // nobody asked it anything
  })
  void silenceIsAQuestionWithoutAnAnswer(
      long unackedSegments, int unansweredProbes, int seconds, boolean silent) {
    TcpInfo info =
        new TcpInfo(
            ESTABLISHED,
            unansweredProbes,
            unackedSegments,
            0,
            Duration.ofMillis(50),
            Duration.ofMillis(50),
            Duration.ofMillis(40),
            Duration.ofSeconds(seconds),
            10,
            100,
            0,
            0,
            0,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            0);
    assertThat(info.silentFor(LIMIT)).isEqualTo(silent);
  }
}
