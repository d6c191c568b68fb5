package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import io.cascade.relay.transport.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a client sends before the way to the destination is open is kept, whatever the client does
 * meanwhile. The destination's queue of connections is full, so that its kernel answers the relay's
 * SYN only when room has been made and the SYN has been sent again.
 */
@Timeout(60)
class EarlyBytesTest {
  private static final byte[] EARLY = random(1_000);

  private final List<Socket> inTheQueue = new ArrayList<>();
  private ServerSocket destination;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @BeforeEach
  void fillTheQueue() throws IOException {
    destination = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    destination.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    // The kernel takes one more than it was told.
    for (int i = 0; i < 2; i++) {
      inTheQueue.add(new Socket(destination.getInetAddress(), destination.getLocalPort()));
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : inTheQueue) {
      socket.close();
    }
    destination.close();
  }

  @ParameterizedTest
  @MethodSource("transports")
  void ofAClientThatHasClosed(Transport transport) throws Exception {
    try (TestChain chain = open(transport, 1)) {
      try (Socket client = chain.connect()) {
        client.getOutputStream().write(EARLY);
      }
      awaitArrived(chain);
      try (Socket server = acceptBehindTheQueue()) {
        assertThat(server.getInputStream().readAllBytes()).isEqualTo(EARLY);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void ofAClientThatWaitsForTheAnswer(Transport transport) throws Exception {
    try (TestChain chain = open(transport, 3);
        Socket client = chain.connect()) {
      client.getOutputStream().write(EARLY);
      client.shutdownOutput();
      awaitArrived(chain);
      try (Socket server = acceptBehindTheQueue()) {
        assertThat(server.getInputStream().readAllBytes()).isEqualTo(EARLY);
        server.getOutputStream().write(EARLY);
        server.shutdownOutput();
        assertThat(client.getInputStream().readAllBytes()).isEqualTo(EARLY);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void ofAClientThatHasReset(Transport transport) throws Exception {
    try (TestChain chain = open(transport, 1)) {
      Socket client = chain.connect();
      client.getOutputStream().write(EARLY);
      awaitArrived(chain);
      client.setSoLinger(true, 0);
      client.close();
      try (Socket server = acceptBehindTheQueue()) {
        InputStream in = server.getInputStream();
        assertThat(in.readNBytes(EARLY.length)).isEqualTo(EARLY);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("reset");
      }
      assertThat(ended(chain).reason()).isEqualTo("inlet-reset");
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void ofAClientThatHasResetWithNobodyToTakeThem(Transport transport) throws Exception {
    StreamOptions impatient = TestChain.options(Map.of("connectTimeoutSeconds", 1));
    try (TestChain chain = TestChain.open(1, transport, address(), impatient)) {
      Socket client = chain.connect();
      client.getOutputStream().write(EARLY);
      awaitArrived(chain);
      client.setSoLinger(true, 0);
      client.close();
      assertThat(ended(chain).reason()).isEqualTo("inlet-reset");
      assertThat(chain.control(0).health(TestChain.PATIENCE).heldBytes()).isZero();
    }
  }

  private TestChain open(Transport transport, int relays) throws Exception {
    return TestChain.open(relays, transport, address(), TestChain.defaults());
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(destination.getInetAddress(), destination.getLocalPort());
  }

  /** Two that filled the queue are taken out of it, and then comes the relay's. */
  private Socket acceptBehindTheQueue() throws IOException {
    for (int i = 0; i < inTheQueue.size(); i++) {
      destination.accept().close();
    }
    return destination.accept();
  }

  /** The last relay has read what the client sent, and has no way on yet. */
  private static void awaitArrived(TestChain chain) {
    int last = chain.length() - 1;
    await()
        .atMost(TestChain.PATIENCE)
        .until(() ->
            chain.streams(last).stream()
                .anyMatch(report -> report.forward().bytesIn() == EARLY.length));
    assertThat(chain.streams(last).getFirst().forward().bytesOut()).isZero();
  }

  private static StreamReport ended(TestChain chain) {
    return await()
        .atMost(TestChain.PATIENCE)
        .until(() -> chain.streams(0).getFirst(), report -> report.reason() != null);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }
}
