package io.cascade.client.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.ClientTest;
import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of a path to a relay, against a fake one that speaks the messages of a test. */
@Timeout(60)
class RelayTestTest {
  private static final UUID TEST = new UUID(1, 2);
  private static final byte[] KEY = new byte[32];
  private static final long BYTES = 1 << 20;

  private ServerSocket relay;

  @SuppressWarnings("NullAway.Init")
  RelayTestTest() {}

  /** What the relay does once it has read the first message. */
  @FunctionalInterface
  private interface Behaviour {
    void behave(DataInputStream in, OutputStream out) throws IOException;
  }

  @BeforeEach
  void listen() throws IOException {
    relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
  }

  private void answer(Behaviour behaviour) {
    Thread.ofVirtual()
        .start(() -> {
          try (Socket client = relay.accept();
              DataInputStream in = new DataInputStream(client.getInputStream())) {
            RelayTestMessage first = RelayTestMessage.decode(message(in), TEST, KEY);
            assertThat(first.kind()).isEqualTo(RelayTestMessage.Kind.TEST);
            behaviour.behave(in, client.getOutputStream());
          } catch (IOException e) {
            return; // The test finds out.
          }
        });
  }

  private static byte[] message(DataInputStream in) throws IOException {
    return in.readNBytes(RelayTestMessage.LENGTH);
  }

  private static void say(OutputStream out, RelayTestMessage.Kind kind, long bytes, byte[] key)
      throws IOException {
    out.write(new RelayTestMessage(kind, TEST, bytes).encode(key));
  }

  private Carried run(double seconds, long bytes) throws Exception {
    HostPort at = new HostPort("127.0.0.1", relay.getLocalPort());
    return RelayTest.run(
        Connections.connect(at, Duration.ofSeconds(10)),
        ClientTest.builder()
            .testId(TEST)
            .host(at.host())
            .port(at.port())
            .key(Base64.getEncoder().encodeToString(KEY))
            .maxBytes(bytes)
            .maxSeconds(seconds)
            .build());
  }

  @Test
  void tellsWhatTheRelayHasGot() throws Exception {
    answer((in, out) -> {
      say(out, RelayTestMessage.Kind.ACCEPTED, 0, KEY);
      say(out, RelayTestMessage.Kind.RECEIVED, in.readAllBytes().length, KEY);
    });
    Carried share = run(10, BYTES);
    assertThat(share.bytes()).as("bounded in bytes").isEqualTo(BYTES);
    assertThat(share.bitsPerSecond()).isPositive();
  }

  @Test
  void endsWhenItsTimeIsOver() throws Exception {
    answer((in, out) -> {
      say(out, RelayTestMessage.Kind.ACCEPTED, 0, KEY);
      long bytes = 0;
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytes += read;
      }
      say(out, RelayTestMessage.Kind.RECEIVED, bytes, KEY);
    });
    assertThat(run(0.2, Long.MAX_VALUE).bytes()).isPositive();
  }

  @Test
  void endsWithWhatHasComeWhereAStreamNeedsTheRelay() throws Exception {
    answer((in, out) -> {
      say(out, RelayTestMessage.Kind.ACCEPTED, 0, KEY);
      in.readFully(new byte[100_000]);
      say(out, RelayTestMessage.Kind.STOPPED, 100_000, KEY);
      in.readAllBytes();
    });
    assertThat(run(10, 64 * BYTES).bytes()).isEqualTo(100_000);
  }

  @Test
  void believesNobodyWithoutTheKey() {
    byte[] another = KEY.clone();
    another[0] = 1;
    answer((_, out) -> say(out, RelayTestMessage.Kind.ACCEPTED, 0, another));
    assertThatThrownBy(() -> run(1, BYTES))
        .isInstanceOf(TransferFailed.class)
        .hasMessageContaining("not from a relay that expects the test");
  }

  @Test
  void aRelayThatExpectsNoTestIsNamed() {
    answer((_, _) -> {});
    assertThatThrownBy(() -> run(1, BYTES))
        .isInstanceOf(TransferFailed.class)
        .hasMessageContaining("it closed the connection");
  }
}
