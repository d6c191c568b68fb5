package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectWaysTest {
  /** Slow start matters where it is long and the file is not. */
  @ParameterizedTest
  @CsvSource({
    "10000000, 160, 4",
    "2097152, 100, 4",
    "2097151, 160, 1",
    "33554431, 160, 4",
    "33554432, 160, 1",
    "10000000, 99, 1",
  })
  void aFileThatIsOverSoonOverALongRoundTripBeginsWithFourConnections(
      long bytes, int roundTripMillis, int connections) {
    assertThat(
            DirectWays.connectionsAtFirst(
                least -> bytes >= least, Duration.ofMillis(roundTripMillis)))
        .isEqualTo(connections);
  }
}
