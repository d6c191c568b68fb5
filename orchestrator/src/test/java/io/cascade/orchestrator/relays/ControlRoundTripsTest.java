package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.names.NamedPeer;
import io.cascade.orchestrator.time.ManualTime;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
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
      assertThat(roundTrips(ControlPortsTest.reachedAt("127.0.0.1", null)).handshakeMillis(relay))
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

  /** Or a relay that registers any address has the orchestrator look what is open there. */
  @Test
  void noPortIsConnectedToWhereRelaysOfOtherMachinesRegister() throws IOException {
    ControlRoundTrips roundTrips = roundTrips(ControlPortsTest.reachedAt("0.0.0.0", null));
    try (ServerSocketChannel open = ServerSocketChannel.open()) {
      open.bind(new InetSocketAddress(ONE, 0)).configureBlocking(false);
      RegisteredRelay there = controlledAt(open.socket().getLocalPort());
      RegisteredRelay nowhere = controlledAt(ReservedPort.untilTheEnd());

      roundTrips.measure(there);

      assertThat(roundTrips.smoothedMillis(there.name())).isEmpty();
      assertThat(roundTrips.isRefused(there)).isEqualTo(roundTrips.isRefused(nowhere)).isFalse();
      assertThat(open.accept()).isNull();
    }
  }

  @Test
  void withinOneMachineThePortTellsWhetherTheRelayIsThere() throws IOException {
    ControlRoundTrips roundTrips = roundTrips(ControlPortsTest.reachedAt("127.0.0.1", null));
    try (ServerSocket control = new ServerSocket(0, 10, ONE)) {
      RegisteredRelay relay = controlledAt(control.getLocalPort());

      roundTrips.measure(relay);

      assertThat(roundTrips.smoothedMillis(relay.name())).isPresent();
      assertThat(roundTrips.isRefused(relay)).isFalse();
    }
    assertThat(roundTrips.isRefused(controlledAt(ReservedPort.untilTheEnd()))).isTrue();
  }

  private static ControlRoundTrips roundTrips(ControlPorts ports) {
    return new ControlRoundTrips(
        new ControlConnections(_ -> {}), ports, ManualTime.running().timekeeper());
  }

  private static RegisteredRelay controlledAt(int port) {
    return KnownRelay.named("r1").at("127.0.0.1", port).relay();
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
