package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams through chains whose hops are coded sessions over UDP. */
@Timeout(60)
class CodedHopsTest {
  private static final int BYTES = 8 << 20;
  private static final StreamOptions CODED = TestChain.options(Map.of("transport", "CODED"));

  private ServerSocket destination;

  @SuppressWarnings("NullAway.Init")
  CodedHopsTest() {}

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::echo);
  }

  @AfterEach
  void stop() throws IOException {
    destination.close();
  }

  /** Sends everything back, and ends when its client has. */
  private void echo() {
    while (true) {
      try {
        Socket client = destination.accept();
        Thread.startVirtualThread(() -> {
          try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
            client.shutdownOutput();
          } catch (IOException e) {
            return;
          }
        });
      } catch (IOException e) {
        return;
      }
    }
  }

  @Test
  void carryStreamsByteForByteAndEndThemCleanly() throws Exception {
    try (TestChain chain = open(3, CODED)) {
      awaitSessions(chain, 1);
      awaitSessions(chain, 2);
      for (int i = 0; i < 3; i++) {
        assertEchoes(chain, BYTES);
      }
      for (int relay = 0; relay < 3; relay++) {
        int index = relay;
        await().until(() -> chain.status(index).totals().running() == 0);
        assertThat(chain.status(index).totals().failed()).isZero();
      }
    }
  }

  @Test
  void areReadyWithWarmStreamsOfOneSessionForEachEventLoop() throws Exception {
    try (TestChain chain = open(2, CODED)) {
      awaitSessions(chain, 1);
      await().until(() -> chain.status(0).warmConnections() == 4);
      // A session that a slow handshake had begin over TCP is soon over UDP.
      await().until(() -> hop(chain).carrier() == CodedCarrier.UDP);
      assertThat(hop(chain).sessions()).isEqualTo(2);
    }
  }

  @Test
  void ofAnEncryptedChainAreSealedByTheirSessions() throws Exception {
    try (TestChain chain =
        TestChain.openEncrypted(
            2, Transport.EPOLL, io.cascade.relay.pump.PumpMode.AUTO, address(), CODED)) {
      awaitSessions(chain, 1);
      await().until(() -> hop(chain).carrier() == CodedCarrier.UDP);
      assertEchoes(chain, BYTES);
    }
  }

  @Test
  void ofAnEncryptedChainStayEncryptedWhereTheNextRelayTakesNoSession() throws Exception {
    try (TestChain chain =
        TestChain.over(
            java.util.List.of(
                TestRelay.on(Transport.EPOLL).start("r0"), TestRelay.on(Transport.NIO).start("r1")),
            address(),
            CODED,
            true)) {
      assertEchoes(chain, BYTES);
      assertThat(hop(chain).carrier()).isEqualTo(CodedCarrier.PLAIN_TCP);
      assertThat(hop(chain).why()).contains("running over TCP and TLS");
    }
  }

  private static CodedHop hop(TestChain chain) {
    return requireNonNull(chain.status(0).coded()).getFirst();
  }

  /** A relay whose transport cannot do it takes no session, neither on UDP nor on TCP. */
  @Test
  void arePlainTcpWhereTheNextRelayTakesNoSession() throws Exception {
    try (TestChain chain =
        TestChain.over(
            java.util.List.of(
                TestRelay.on(Transport.EPOLL).start("r0"), TestRelay.on(Transport.NIO).start("r1")),
            address(),
            CODED,
            false)) {
      assertEchoes(chain, BYTES);
      assertThat(hop(chain).carrier()).isEqualTo(CodedCarrier.PLAIN_TCP);
      assertThat(hop(chain).why())
          .contains("did not answer")
          .contains("running over plain TCP, which this hop does not encrypt");
    }
  }

  /** Its sockets are closed without a word, as when its process is killed. */
  @Test
  void breakTheirStreamsWhenTheNextRelayIsGone() throws Exception {
    try (TestChain chain = open(2, CODED);
        Socket client = connectCoded(chain)) {
      client.getOutputStream().write(1);
      assertThat(client.getInputStream().read()).isEqualTo(1);

      chain.relays.get(1).close();

      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(java.net.SocketException.class);
    }
  }

  private TestChain open(int relays, StreamOptions options) throws Exception {
    return TestChain.open(relays, Transport.EPOLL, address(), options);
  }

  private InetSocketAddress address() {
    return (InetSocketAddress) destination.getLocalSocketAddress();
  }

  /** Waits: on a busy machine the first handshake may take longer than a hop waits for it. */
  private static void awaitSessions(TestChain chain, int relay) {
    await().atMost(TestChain.PATIENCE).until(() -> chain.relays.get(relay).codedSessions() == 2);
  }

  private static Socket connectCoded(TestChain chain) throws IOException {
    awaitSessions(chain, 1);
    return chain.connect();
  }

  private static void assertEchoes(TestChain chain, int bytes) throws Exception {
    byte[] data = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(data);
    try (Socket socket = chain.connect()) {
      Thread writer =
          Thread.startVirtualThread(() -> {
            try {
              OutputStream out = socket.getOutputStream();
              out.write(data);
              socket.shutdownOutput();
            } catch (IOException e) {
              return; // The reader finds too little.
            }
          });
      InputStream in = socket.getInputStream();
      byte[] back = in.readAllBytes();
      writer.join();
      assertThat(back).hasSize(bytes);
      assertThat(crc(back)).isEqualTo(crc(data));
    }
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }
}
