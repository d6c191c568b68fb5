package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.names.NamedPeer;
import io.cascade.orchestrator.time.ManualTime;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Relays whose name has several addresses, of which some do not answer. */
class ControlRoundTripsTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("127.0.0.2");

  @Test
  void aRelayAnswersThatListensAtOneOfItsAddresses() throws IOException {
    try (ServerSocket control = new ServerSocket(0, 10, OTHER)) {
      NamedPeer relay = new NamedPeer(List.of(ONE, OTHER), control.getLocalPort());

      assertThat(ControlRoundTrips.refuses(relay)).isFalse();
      assertThat(
              new ControlRoundTrips(
                      new ControlConnections(_ -> {}), ManualTime.running().timekeeper())
                  .handshakeMillis(relay))
          .isPresent();
    }
  }

  @Test
  void aRelayHasEndedWhereAllItsAddressesRefuse() throws IOException {
    assertThat(
            ControlRoundTrips.refuses(
                new NamedPeer(List.of(ONE, OTHER), ReservedPort.untilTheEnd())))
        .isTrue();
  }

  /**
   * One that is never assigned: a multicast address takes no connection (RFC 9293, section 3.9).
   */
  @Test
  void aRelayMayLiveWhereOneOfItsAddressesSaysNothingOfItWhicheverIsTheFirst() {
    InetAddress silent = InetAddress.ofLiteral("224.0.0.1");
    int port = ReservedPort.untilTheEnd();

    assertThat(ControlRoundTrips.refuses(new NamedPeer(List.of(silent, ONE), port))).isFalse();
    assertThat(ControlRoundTrips.refuses(new NamedPeer(List.of(ONE, silent), port))).isFalse();
  }
}
