package io.cascade.client.throughput;

import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.measure.ConnectionAccount;
import io.cascade.client.measure.KernelSocket;
import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Measures a path to a relay that was told to receive a test: sends random bytes for some time, or
 * until the relay accepts no more, and the relay reports how many have arrived. If a stream needs
 * the relay, the relay stops the test, which ends with what had arrived.
 */
public final class RelayTest {
  /** Time-out of an answer, beyond the time of the test. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private static final int PIECE_BYTES = 64 * 1_024;

  private final SocketChannel connection;
  private final ClientTest test;
  private final byte[] key;

  private RelayTest(SocketChannel connection, ClientTest test) {
    this.connection = connection;
    this.test = test;
    this.key = Base64.getDecoder().decode(test.key());
  }

  /**
   * Sends the test.
   *
   * @param connection to the relay's hop port, connected and blocking; closed at the end
   * @return what arrived, how quickly, and what the kernel counted
   * @throws TransferFailed where the relay does not answer, stops the test at once, or is slow to
   *     end
   */
  public static Carried run(SocketChannel connection, ClientTest test)
      throws TransferFailed, InterruptedException {
    Duration time = Duration.ofNanos(Math.round(test.maxSeconds() * 1e9));
    try (connection;
        StallGuard _ = new StallGuard(connection, time.plus(PATIENCE.multipliedBy(2)))) {
      return new RelayTest(connection, test).send(time);
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("the relay ended the test: " + e.getMessage(), e);
    }
  }

  private Carried send(Duration time) throws IOException, TransferFailed, InterruptedException {
    RelayTestMessage first = new RelayTestMessage(RelayTestMessage.Kind.TEST, test.testId(), 0);
    write(ByteBuffer.wrap(first.encode(key)));
    if (read().kind() != RelayTestMessage.Kind.ACCEPTED) {
      throw new TransferFailed("the relay does not expect the test");
    }
    long startNanos = System.nanoTime();
    ConnectionAccount account =
        KernelSocket.of(connection)
            .map(socket -> ConnectionAccount.of(socket, startNanos))
            .orElse(null);
    CompletableFuture<RelayTestMessage> last = new CompletableFuture<>();
    Thread.ofVirtual().name("relay-test").start(() -> await(last));
    try {
      fill(startNanos + time.toNanos(), account, last);
    } catch (IOException e) {
      if (!last.isDone()) {
        throw e; // Otherwise the relay has reported why it stopped reading.
      }
    }
    RelayTestMessage said = last(last);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    if (account != null) {
      account.look(System.nanoTime());
    }
    drop();
    TransferAccount counted = account == null ? null : account.account();
    if (said == null && counted != null && counted.steadyBitsPerSecond() != null) {
      // The bytes in flight have not arrived in time; the kernel counted those that had.
      double rate = Objects.requireNonNull(counted.steadyBitsPerSecond());
      return new Carried(Math.round(rate * counted.seconds() / Byte.SIZE), rate, counted);
    }
    if (said == null || said.bytes() == 0) {
      throw new TransferFailed(
          said == null
              ? "the relay did not report in time what arrived"
              : "the relay ended the test for a stream before anything arrived");
    }
    return new Carried(said.bytes(), Byte.SIZE * said.bytes() / seconds, counted);
  }

  /** Sends until the time is over, all has been sent, or the relay has sent a message. */
  private void fill(
      long endNanos, @Nullable ConnectionAccount account, CompletableFuture<RelayTestMessage> last)
      throws IOException {
    byte[] random = new byte[PIECE_BYTES];
    new Random().nextBytes(random);
    long left = test.maxBytes();
    do { // At least once: on a busy host the time may be over before anything was sent.
      int length = (int) Math.min(left, PIECE_BYTES);
      write(ByteBuffer.wrap(random, 0, length));
      left -= length;
      if (account != null) {
        account.look(System.nanoTime());
      }
    } while (left > 0 && !last.isDone() && System.nanoTime() - endNanos < 0);
    if (!last.isDone()) {
      connection.shutdownOutput();
    }
  }

  private void await(CompletableFuture<RelayTestMessage> last) {
    try {
      last.complete(read());
    } catch (IOException e) {
      last.completeExceptionally(e);
    }
  }

  /** Returns the relay's last message; null on time-out. */
  private static @Nullable RelayTestMessage last(CompletableFuture<RelayTestMessage> last)
      throws IOException, InterruptedException {
    try {
      return last.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException broken ? broken : new IOException(e);
    }
  }

  private RelayTestMessage read() throws IOException {
    ByteBuffer message = ByteBuffer.allocate(RelayTestMessage.LENGTH);
    while (message.hasRemaining()) {
      if (connection.read(message) < 0) {
        throw new EOFException("it closed the connection");
      }
    }
    return RelayTestMessage.decode(message.array(), test.testId(), key);
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      connection.write(bytes);
    }
  }

  /** Resets the connection: the bytes in flight are not needed. */
  private void drop() throws IOException {
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
  }
}
