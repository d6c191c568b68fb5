package io.cascade.relay;

import static io.cascade.relay.ProxyRig.CHOSEN_NO_LOGIN;
import static io.cascade.relay.ProxyRig.GRANTED;
import static io.cascade.relay.ProxyRig.NO_LOGIN;
import static io.cascade.relay.ProxyRig.command;
import static io.cascade.relay.ProxyRig.dial;
import static io.cascade.relay.ProxyRig.expect;
import static io.cascade.relay.ProxyRig.reply;
import static io.cascade.relay.ProxyRig.send;
import static io.cascade.relay.ProxyRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients behind a load balancer that speaks the PROXY protocol, at a relay's proxies. */
@Timeout(60)
class BalancedClientsTest extends ProxyPortTest {
  private static final byte[] LOCAL = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a20000000");
  private static final byte[] GUEST = text("PROXY TCP4 192.0.2.7 192.0.2.1 5000 1080\r\n");
  private static final byte[] STRANGER = text("PROXY TCP4 192.0.2.8 192.0.2.1 5000 1080\r\n");

  /** A relay that takes clients from 192.0.2.7 alone, behind a balancer. */
  private ProxyRig behind(String balancer, Transport transport) throws IOException {
    return rig(
        ProxyRig.start(
            TestRelay.on(transport).balancers(balancer),
            List.of("192.0.2.7"),
            List.of("*", "127.0.0.0/8"),
            null));
  }

  @ParameterizedTest
  @MethodSource("transports")
  void theClientThatTheBalancerNamesIsJudgedNotTheBalancer(Transport transport) throws Exception {
    ProxyRig rig = behind("127.0.0.1", transport);
    Socket client = opened(dial(rig.socks()));
    send(client, GUEST, NO_LOGIN, command(1, "127.0.0.1", rig.port()), text("hasty"));
    expect(opened(rig.destination.accept()), text("hasty"));
    expect(client, CHOSEN_NO_LOGIN);
    assertThat(reply(client)).isEqualTo(GRANTED);

    Socket other = opened(dial(rig.socks()));
    assertEnds(other, STRANGER, NO_LOGIN);
    assertThat(rig.counted("source-refused")).isOne();
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aHeaderMayComeInPiecesAndTheHandshakeLater(Transport transport) throws Exception {
    ProxyRig rig = behind("127.0.0.1", transport);
    Socket client = opened(dial(rig.socks()));
    client.setTcpNoDelay(true);
    for (byte one : GUEST) {
      send(client, new byte[] {one});
    }
    send(client, NO_LOGIN);
    expect(client, CHOSEN_NO_LOGIN);
    send(client, command(1, "127.0.0.1", rig.port()));
    Socket server = opened(rig.destination.accept());
    assertThat(reply(client)).isEqualTo(GRANTED);
    send(server, text("answer"));
    expect(client, text("answer"));
  }

  /** Else everybody could say to be anybody. */
  @ParameterizedTest
  @MethodSource("transports")
  void aHeaderFromAnotherSourceIsNotRead(Transport transport) throws Exception {
    ProxyRig rig = behind("203.0.113.0/24", transport);
    try {
      assertEnds(opened(dial(rig.socks())), GUEST, NO_LOGIN);
    } catch (SocketException e) {
      // It may be reset before it is dialled to the end.
    }
    await().untilAsserted(() -> assertThat(rig.counted("source-refused")).isOne());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aBalancerThatSendsNoHeaderIsRefused(Transport transport) throws Exception {
    ProxyRig rig = behind("127.0.0.1", transport);
    Socket client = opened(dial(rig.socks()));
    assertEnds(client, NO_LOGIN, command(1, "127.0.0.1", rig.port()));
  }

  /** It connects and closes, or says LOCAL before. */
  @ParameterizedTest
  @MethodSource("transports")
  void aBalancersLookAtThePortsHealthCountsAsNothing(Transport transport) throws Exception {
    ProxyRig rig = behind("127.0.0.1", transport);
    dial(rig.socks()).close();
    try (Socket check = dial(rig.socks())) {
      send(check, LOCAL);
    }
    Socket client = opened(dial(rig.socks()));
    send(client, GUEST, NO_LOGIN);
    expect(client, CHOSEN_NO_LOGIN);

    assertThat(rig.counted("gone")).isZero();
    assertThat(rig.counted("malformed")).isZero();
  }

  /** It may be reset before all was sent. */
  private static void assertEnds(Socket client, byte[]... parts) {
    assertThatThrownBy(
            () -> {
              send(client, parts);
              if (client.getInputStream().read() < 0) {
                throw new IOException("ended");
              }
            })
        .isInstanceOf(IOException.class);
  }
}
