package io.cascade.carriage.coded;

import static io.cascade.carriage.coded.TcpHelloState.AWAITING_COOKIE;
import static io.cascade.carriage.coded.TcpHelloState.AWAITING_HELLO;
import static io.cascade.carriage.coded.TcpHelloState.BEGUN;
import static io.cascade.carriage.coded.TcpHelloState.CLOSED;
import static io.cascade.carriage.coded.TcpHelloState.JUDGING;
import static io.cascade.carriage.coded.TcpHelloState.JUDGING_COOKIE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state and every event of a connection on which a handshake comes. */
class TcpHelloStateTest {
  @Test
  void movesAsItsTableSays() {
    // DATAGRAM, COOKIE_WANTED, OPENED, REFUSED, LATE, LOST
    assertRow(
        AWAITING_HELLO, JUDGING, AWAITING_HELLO, AWAITING_HELLO, AWAITING_HELLO, CLOSED, CLOSED);
    assertRow(JUDGING, CLOSED, AWAITING_COOKIE, BEGUN, CLOSED, CLOSED, CLOSED);
    assertRow(
        AWAITING_COOKIE,
        JUDGING_COOKIE,
        AWAITING_COOKIE,
        AWAITING_COOKIE,
        AWAITING_COOKIE,
        CLOSED,
        CLOSED);
    assertRow(JUDGING_COOKIE, CLOSED, CLOSED, BEGUN, CLOSED, CLOSED, CLOSED);
    assertRow(BEGUN, BEGUN, BEGUN, BEGUN, BEGUN, BEGUN, BEGUN);
    assertRow(CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED);
  }

  private static void assertRow(TcpHelloState from, TcpHelloState... to) {
    assertThat(Arrays.stream(TcpHelloState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }
}
