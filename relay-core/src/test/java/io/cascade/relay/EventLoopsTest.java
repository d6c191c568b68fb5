package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The streams of one port are spread evenly over a relay's event loops, of which a relay has two
 * here: whatever else a stream needs does not take turns with its client's connection.
 */
@Timeout(60)
class EventLoopsTest {
  private static final int STREAMS = 40;

  private final List<Socket> clients = new ArrayList<>();
  private final List<Socket> servers = new ArrayList<>();
  private ServerSocket destination;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::available);
  }

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket end : Stream.concat(clients.stream(), servers.stream()).toList()) {
      end.close();
    }
    destination.close();
  }

  /** Half of them with the one, and half with the other, is all that there are. */
  @ParameterizedTest
  @MethodSource("transports")
  void halfOfTheStreamsGoOnWhileOneOfTwoLoopsStandsStill(Transport transport) throws Exception {
    try (TestChain chain = open(transport)) {
      for (int i = 0; i < STREAMS; i++) {
        clients.add(chain.connect());
        servers.add(destination.accept());
      }
      sendOnEach();
      readOnEach();
      for (EventExecutor loop : chain.relays.getFirst().loops) {
        CountDownLatch over = new CountDownLatch(1);
        try {
          holdUp(loop, over);
          sendOnEach();
          await().atMost(TestChain.PATIENCE).until(() -> reached() >= STREAMS / 2);
        } finally {
          over.countDown();
        }
        readOnEach();
      }
    }
  }

  private TestChain open(Transport transport) throws Exception {
    return TestChain.open(
        1,
        transport,
        new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
        TestChain.defaults());
  }

  private static void holdUp(EventExecutor loop, CountDownLatch over) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    loop.execute(() -> {
      held.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    held.await();
  }

  private void sendOnEach() throws IOException {
    for (Socket client : clients) {
      client.getOutputStream().write(1);
    }
  }

  private void readOnEach() throws IOException {
    for (Socket server : servers) {
      assertThat(server.getInputStream().read()).isEqualTo(1);
    }
  }

  /** How many of the servers have got something. */
  private int reached() throws IOException {
    int reached = 0;
    for (Socket server : servers) {
      reached += server.getInputStream().available() > 0 ? 1 : 0;
    }
    return reached;
  }
}
