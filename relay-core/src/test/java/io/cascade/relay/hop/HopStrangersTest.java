package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever has no key cannot take the hop port from relays that have one. */
@Timeout(60)
class HopStrangersTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final HopKey KEY = HopHeaderTest.key(1);
  private static final HopAddress HOP = new HopAddress(0, 0, 1);
  private static final String ATTACKER = "127.0.0.1";
  private static final String RELAY = "127.0.0.2";

  /** Of a TLS handshake that never goes on. */
  private static final byte[] HALF_A_RECORD = {0x16, 3, 1, 2, 0, 1};

  private final List<Socket> held = new ArrayList<>();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, Transport.NIO.newIoHandlerFactory());
  private final HopTls tls = new HopTls("here", TlsLibrary.JDK);
  private final HopServer server =
      new HopServer(new Sockets(Transport.NIO, loops), tls, Duration.ofMinutes(1));
  private int counter;
  private Channel listening;

  @BeforeEach
  void listen() {
    var _ = tls.fingerprint();
    listening =
        server
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
    server.install(
        CHAIN, List.of(new HopReceiver(KEY, null, HOP, (_, _, early) -> early.release())));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
    listening.close().syncUninterruptibly();
    loops.shutdownGracefully();
  }

  @Test
  void oneSourceHasABoundedNumberOfConnectionsThatOweAHeader() throws Exception {
    takeAllPlaces();

    assertThat(isWelcome(ATTACKER)).isFalse();
    assertThat(server.refusals().of(HopRefusal.LIMIT)).isEqualTo(1);
    assertThat(isWelcome(RELAY)).as("another source").isTrue();
  }

  @Test
  void relaysThatTheOrchestratorNamesHavePlacesOfTheirOwn() throws Exception {
    takeAllPlaces();
    server.peers().named(List.of(InetAddress.ofLiteral(ATTACKER)));

    assertThat(isWelcome(ATTACKER)).as("a relay behind the same address").isTrue();
  }

  @Test
  void whoeverHasProvedAKeyHasPlacesOfItsOwn() throws Exception {
    assertThat(isWelcome(ATTACKER)).isTrue();
    for (int i = 0; i <= HopServer.MOST_OF_STRANGER; i++) {
      hold();
    }

    assertThat(isWelcome(ATTACKER)).isTrue();
  }

  @Test
  void aPlaceIsFreeAgainWhenItsConnectionEnds() throws Exception {
    takeAllPlaces();
    held.removeFirst().close();

    await().until(() -> isWelcome(ATTACKER));
  }

  private void takeAllPlaces() throws IOException {
    for (int i = 0; i < HopServer.MOST_OF_STRANGER; i++) {
      hold();
    }
    await().until(() -> server.strangers().taken() == HopServer.MOST_OF_STRANGER);
  }

  private void hold() throws IOException {
    Socket socket = connect(ATTACKER);
    held.add(socket);
    socket.getOutputStream().write(HALF_A_RECORD);
  }

  private boolean isWelcome(String from) throws IOException {
    try (Socket socket = connect(from)) {
      socket.getOutputStream().write(HopHeader.greeting(CHAIN, HOP, ++counter).encode(KEY));
      return socket.getInputStream().read() == 0x0d;
    } catch (IOException e) {
      return false; // a reset
    }
  }

  private Socket connect(String from) throws IOException {
    InetSocketAddress at = HopServer.addressOf(listening);
    return new Socket(at.getAddress(), at.getPort(), InetAddress.ofLiteral(from), 0);
  }
}
