package io.cascade.packets.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.connections.ConnectionState.Event;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pair of state and event. */
class ConnectionStateTest {
  @ParameterizedTest
  @CsvSource({
    "PENDING, ACTIVE,  PENDING, CLOSED, CLOSED",
    "ACTIVE,  ACTIVE,  CLOSING, CLOSED, CLOSED",
    "CLOSING, CLOSING, CLOSING, CLOSED, CLOSED",
    "CLOSED,  CLOSED,  CLOSED,  CLOSED, CLOSED"
  })
  void moves(
      ConnectionState from,
      ConnectionState confirmed,
      ConnectionState fin,
      ConnectionState reset,
      ConnectionState silent) {
    assertThat(from.on(Event.CONFIRMED)).isEqualTo(confirmed);
    assertThat(from.on(Event.FIN)).isEqualTo(fin);
    assertThat(from.on(Event.RESET)).isEqualTo(reset);
    assertThat(from.on(Event.SILENT)).isEqualTo(silent);
    assertThat(Event.values()).hasSize(4);
  }
}
