package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A stream of small messages goes on beside one of much data in the same chain, whose relays have
 * one event loop each: whatever held that loop up would hold up both.
 */
@Timeout(60)
class MessagesBesideBulkTest {
  private static final int ROUNDS = 50;
  private static final byte[] PIECE = random(256 * 1_024, 1);

  private ServerSocket destination;

  @SuppressWarnings("NullAway.Init") // by open()
  private TestChain chain;

  @SuppressWarnings("NullAway.Init") // by open()
  private Stream bulk;

  @SuppressWarnings("NullAway.Init") // by open()
  private Stream messages;

  private volatile boolean enough;

  /** Both ends of a stream. */
  private record Stream(Socket client, Socket server) {
    void close() throws IOException {
      client.close();
      server.close();
    }
  }

  @BeforeEach
  void listen() throws IOException {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    destination = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void close() throws IOException {
    if (chain != null) {
      bulk.close();
      messages.close();
      chain.close();
    }
    destination.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"COPY", "SPLICE"})
  void goOnWhileNobodyReadsTheBulk(PumpMode pump) throws Exception {
    open(pump);
    byte[] bytes = random(64 << 20, 2); // more than all the buffers on the way
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> write(bytes), Thread::startVirtualThread);
    awaitEveryRelayToBeFull();
    long stood = cameIn();
    for (int i = 0; i < ROUNDS; i++) {
      exchangeMessage(i);
    }
    assertThat(cameIn()).as("the bulk stood still all the time").isEqualTo(stood);
    assertThat(writing).isNotDone();

    byte[] read = bulk.server.getInputStream().readAllBytes();
    assertThat(Arrays.equals(read, bytes)).isTrue();
    assertThat(writing).succeedsWithin(TestChain.PATIENCE);
    assertMovedBy(pump);
  }

  /** Each in turn: a message after more of the bulk has come, and more of it after the message. */
  @ParameterizedTest
  @EnumSource(names = {"COPY", "SPLICE"})
  void goOnWhileTheBulkFlows(PumpMode pump) throws Exception {
    open(pump);
    AtomicLong read = new AtomicLong();
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> read(read), Thread::startVirtualThread);
    CompletableFuture<Long> written =
        CompletableFuture.supplyAsync(this::writeUntilEnough, Thread::startVirtualThread);
    for (int i = 0; i < ROUNDS; i++) {
      long before = read.get();
      await().pollInterval(Duration.ofMillis(1)).until(() -> read.get() > before);
      exchangeMessage(i);
    }
    assertThat(written).isNotDone();
    enough = true;
    assertThat(reading).succeedsWithin(TestChain.PATIENCE);
    assertThat(read.get()).isEqualTo(written.get());
    assertMovedBy(pump);
  }

  private void open(PumpMode pump) throws Exception {
    if (pump == PumpMode.SPLICE) {
      SpliceNeeded.check();
    }
    List<RelayNode> relays = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      relays.add(TestRelay.on(Transport.EPOLL).pump(pump).eventLoops(1).start("r" + i));
    }
    chain =
        TestChain.over(
            relays,
            new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
            TestChain.buffer(256 * 1_024),
            false);
    bulk = new Stream(chain.connect(), destination.accept());
    bulk.server.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    messages = new Stream(chain.connect(), destination.accept());
    messages.client.setTcpNoDelay(true);
    messages.server.setTcpNoDelay(true);
    messages.server.setSoTimeout((int) TestChain.PATIENCE.toMillis());
  }

  private void exchangeMessage(int number) throws IOException {
    byte[] message = random(64, number);
    messages.client.getOutputStream().write(message);
    assertThat(messages.server.getInputStream().readNBytes(message.length)).isEqualTo(message);
    messages.server.getOutputStream().write(message);
    assertThat(messages.client.getInputStream().readNBytes(message.length)).isEqualTo(message);
  }

  private void awaitEveryRelayToBeFull() {
    long[] last = {-1};
    await()
        .atMost(TestChain.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> {
          long now = cameIn();
          boolean full =
              now == last[0] && bulkAtEveryRelay().stream().allMatch(each -> each.heldBytes() > 0);
          last[0] = now;
          return full;
        });
  }

  private long cameIn() {
    return bulkAtEveryRelay().stream().mapToLong(DirectionReport::bytesIn).sum();
  }

  private List<DirectionReport> bulkAtEveryRelay() {
    return IntStream.range(0, chain.length())
        .mapToObj(relay ->
            chain.streams(relay).stream()
                .map(StreamReport::forward)
                .max(Comparator.comparingLong(DirectionReport::bytesIn))
                .orElseThrow())
        .toList();
  }

  private void assertMovedBy(PumpMode pump) {
    assertThat(bulkAtEveryRelay())
        .allSatisfy(direction -> {
          long spliced = requireNonNull(direction.splicedBytes());
          assertThat(spliced > 0)
              .as("spliced: %d bytes", spliced)
              .isEqualTo(pump == PumpMode.SPLICE);
        });
  }

  private void write(byte[] bytes) {
    try {
      bulk.client.getOutputStream().write(bytes);
      bulk.client.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long writeUntilEnough() {
    try {
      long written = 0;
      while (!enough) {
        bulk.client.getOutputStream().write(PIECE);
        written += PIECE.length;
      }
      bulk.client.shutdownOutput();
      return written;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(AtomicLong read) {
    try {
      InputStream in = bulk.server.getInputStream();
      for (byte[] next = in.readNBytes(PIECE.length);
          next.length > 0;
          next = in.readNBytes(PIECE.length)) {
        assertThat(Arrays.equals(next, PIECE)).isTrue();
        read.addAndGet(next.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
