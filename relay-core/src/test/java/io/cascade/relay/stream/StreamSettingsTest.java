package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamSettingsTest {
  @ParameterizedTest
  @CsvSource({"0, 0, 0", "0, 7, 7", "7, 0, 7", "3, 7, 3", "7, 3, 3", "7, 7, 7"})
  void theShortestSilenceIsThatOfASideThatIsGivenUpAtAll(
      long inletSeconds, long onwardSeconds, long shortestSeconds) {
    StreamSettings settings =
        new StreamSettings(
            StreamSettings.DEFAULT_BUFFER_BYTES,
            new StartGate.Open(),
            PumpMode.COPY,
            silentFor(inletSeconds),
            silentFor(onwardSeconds),
            Duration.ofSeconds(10),
            Duration.ZERO,
            Duration.ZERO);

    assertThat(settings.shortestSilence()).isEqualTo(Duration.ofSeconds(shortestSeconds));
  }

  private static ConnectionSettings silentFor(long seconds) {
    return new ConnectionSettings(SocketTuning.defaults(), Duration.ofSeconds(seconds));
  }
}
