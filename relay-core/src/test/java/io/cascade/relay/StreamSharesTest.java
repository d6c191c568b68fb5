package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Ingress;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Silent connections of strangers take no stream from other chains and other clients. */
@Timeout(60)
class StreamSharesTest {
  private static final int MOST = 60;
  private static final String STRANGER = "127.0.0.2";
  private static final String CLIENT = "127.0.0.3";

  private final List<Socket> open = new ArrayList<>();
  private ServerSocket destination;
  private RelayNode relay;
  private int one;
  private int other;

  @BeforeEach
  void install() throws IOException {
    destination = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
    Thread.ofVirtual().start(this::serve);
    relay = TestRelay.on(Transport.best()).maxStreams(MOST).start("r");
    one = chain();
    other = chain();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    relay.close();
    destination.close();
  }

  @Test
  void aChainWhoseClientsTakeAllTheyCanLeavesStreamsToTheOthers() throws IOException {
    takeAll(one);

    assertThat(relay.chains.counters().runningStreams()).isEqualTo(MOST * 4 / 5);
    assertThat(isServed(CLIENT, other)).isTrue();
    assertThat(isServed(CLIENT, one)).as("the chain's own are taken").isFalse();
  }

  @Test
  void aClientThatTakesAllItCanLeavesStreamsToTheOthers() throws IOException {
    takeAll(one);

    assertThat(isServed(STRANGER, other)).as("it has as many as it may").isFalse();
    assertThat(isServed(CLIENT, other)).isTrue();
  }

  @Test
  void whatAClientGivesBackItMayTakeAgain() throws IOException {
    takeAll(one);
    for (Socket socket : open) {
      socket.close();
    }

    await().until(() -> isServed(STRANGER, other));
  }

  private void takeAll(int ingress) throws IOException {
    for (int i = 0; i < 70; i++) {
      open.add(connect(STRANGER, ingress));
    }
    await()
        .until(() ->
            relay.chains.counters().runningStreams() + relay.chains.counters().shedStreams() == 70);
  }

  private boolean isServed(String from, int ingress) {
    try (Socket client = connect(from, ingress)) {
      client.getOutputStream().write(7);
      return client.getInputStream().read() == 7;
    } catch (IOException e) {
      return false; // reset
    }
  }

  private static Socket connect(String from, int ingress) throws IOException {
    return new Socket(InetAddress.ofLiteral("127.0.0.1"), ingress, InetAddress.ofLiteral(from), 0);
  }

  /** Sends the first byte of each connection back. */
  private void serve() {
    while (!destination.isClosed()) {
      try {
        Socket accepted = destination.accept();
        Thread.ofVirtual()
            .start(() -> {
              try (accepted) {
                int first = accepted.getInputStream().read();
                if (first >= 0) {
                  accepted.getOutputStream().write(first);
                  accepted.getInputStream().transferTo(accepted.getOutputStream());
                }
              } catch (IOException e) {
                // Reset with its client.
              }
            });
      } catch (IOException e) {
        return;
      }
    }
  }

  private int chain() {
    return Objects.requireNonNull(
        TestChain.control(relay)
            .install(
                UUID.randomUUID(),
                TestParts.of(
                    0,
                    60,
                    new Ingress("127.0.0.1", 0, null, null, null),
                    null,
                    null,
                    new Egress("127.0.0.1", destination.getLocalPort(), false, null),
                    null,
                    null),
                TestChain.PATIENCE)
            .ingressPort());
  }
}
