package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream through three real relays is as a direct one, on every transport and pump there is. */
@Timeout(60)
class StreamsThroughChainTest {
  private static final long BUDGET = 256 * 1024;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket destination;

  /** How bytes get through a relay. */
  record Way(Transport transport, PumpMode pump) {}

  static Stream<Way> ways() {
    return Stream.concat(
            Stream.of(Transport.values()).map(each -> new Way(each, PumpMode.AUTO)),
            Stream.of(new Way(Transport.EPOLL, PumpMode.SPLICE)))
        .filter(way -> way.transport().available());
  }

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    destination.close();
    threads.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void carriesBytesBothWaysAtOnce(Way way) throws Exception {
    byte[] there = random(5_000_000, 1);
    byte[] back = random(3_000_000, 2);
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> atServer = readAll(server);
      CompletableFuture<byte[]> atClient = readAll(client);
      write(client, there);
      write(server, back);
      assertThat(atServer.get()).isEqualTo(there);
      assertThat(atClient.get()).isEqualTo(back);
      StreamReport report = ended(chain, 0);
      assertThat(report.state()).isEqualTo(StreamState.COMPLETED);
      assertThat(report.forward().bytesOut()).isEqualTo(there.length);
      assertThat(report.backward().bytesOut()).isEqualTo(back.length);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void passesTheEndOfOneDirectionOnWhileTheOtherGoesOn(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write("question".getBytes());
      client.shutdownOutput();
      assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("question");
      server.getOutputStream().write("answer".getBytes());
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("answer");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void passesTheServersEndOnWhileTheClientGoesOn(Way way) throws Exception {
    byte[] late = random(700_000, 11);
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      server.getOutputStream().write("done".getBytes());
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("done");
      CompletableFuture<byte[]> atServer = readAll(server);
      write(client, late);
      assertThat(atServer.get()).isEqualTo(late);
      assertThat(ended(chain, 1).state()).isEqualTo(StreamState.COMPLETED);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void letsTheServerSpeakFirst(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      server.getOutputStream().write('!');
      assertThat(client.getInputStream().read()).isEqualTo('!');
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void keepsWhatAClientSentThatClosedBeforeTheWayOnWasOpen(Way way) throws Exception {
    byte[] early = random(1_000, 3);
    try (TestChain chain = open(way, TestChain.cold())) {
      for (int i = 0; i < 20; i++) {
        try (Socket client = chain.connect()) {
          client.getOutputStream().write(early);
        }
        try (Socket server = destination.accept()) {
          assertThat(server.getInputStream().readAllBytes()).isEqualTo(early);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void carriesAStreamWithoutAByte(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.defaults())) {
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        client.shutdownOutput();
        assertThat(server.getInputStream().read()).isEqualTo(-1);
        server.shutdownOutput();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(ended(chain, 2).state()).isEqualTo(StreamState.COMPLETED);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void carriesOneByteAtATime(Way way) throws Exception {
    byte[] bytes = random(2_000, 4);
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.setTcpNoDelay(true);
      CompletableFuture<byte[]> atServer = readAll(server);
      for (byte each : bytes) {
        client.getOutputStream().write(each);
      }
      client.shutdownOutput();
      assertThat(atServer.get()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void resetsTheClientWhenTheDestinationRefuses(Way way) throws Exception {
    try (ReservedPort nobody = ReservedPort.take();
        TestChain chain =
            TestChain.open(
                3,
                way.transport(),
                way.pump(),
                new InetSocketAddress("127.0.0.1", nobody.number()),
                TestChain.defaults());
        Socket client = chain.connect()) {
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reset");
      assertThat(ended(chain, 2).reason()).isEqualTo("connect-refused");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void deliversWhatPrecededAResetAndThenTheReset(Way way) throws Exception {
    byte[] bytes = random(900_000, 5);
    try (ServerSocket narrow = new ServerSocket()) {
      narrow.setReceiveBufferSize(8_192); // so that the reset finds most of it in the relays
      narrow.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (TestChain chain =
              TestChain.open(
                  3,
                  way.transport(),
                  way.pump(),
                  (InetSocketAddress) narrow.getLocalSocketAddress(),
                  TestChain.defaults());
          Socket client = chain.connect();
          Socket server = narrow.accept()) {
        client.getOutputStream().write(bytes);
        // Once the first relay has it all, the rest is the chain's to deliver.
        await().until(() -> chain.streams(0).getFirst().forward().bytesIn() == bytes.length);
        client.setSoLinger(true, 0);
        client.close();
        InputStream in = server.getInputStream();
        assertThat(in.readNBytes(bytes.length)).isEqualTo(bytes);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("reset");
        assertThat(ended(chain, 0).reason()).isEqualTo("inlet-reset");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void resetsTheClientWhenTheServerResets(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.defaults());
        Socket client = chain.connect()) {
      Socket server = destination.accept();
      server.setSoLinger(true, 0);
      server.close();
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reset");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void holdsNoMoreThanTheBudgetWhenTheDestinationIsSlow(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.buffer(BUDGET));
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      fill(
          chain, way, client, server, StreamReport::forward, totals -> totals.outlets().getFirst());
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void holdsNoMoreThanTheBudgetWhenTheClientIsSlow(Way way) throws Exception {
    try (TestChain chain = open(way, TestChain.buffer(BUDGET));
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      fill(
          chain, way, server, client, StreamReport::backward, totals -> totals.inlets().getFirst());
    }
  }

  private void fill(
      TestChain chain,
      Way way,
      Socket from,
      Socket to,
      Function<StreamReport, DirectionReport> direction,
      Function<StreamTotals, HopConnections> sinks)
      throws Exception {
    byte[] block = random(64 * 1024, 6);
    AtomicBoolean enough = new AtomicBoolean();
    // Kernels differ in what their receive buffers grow to: no fixed amount fills every one.
    CompletableFuture<Long> writing =
        CompletableFuture.supplyAsync(() -> repeatUntil(enough, block, from), threads);
    // Nobody reads: the writer stands still once every buffer on the way is full.
    awaitStandstill(chain);
    assertThat(writing).isNotDone();
    if (way.transport() == Transport.EPOLL) { // nobody else can tell the kernel, or ask it
      for (int relay = 0; relay < 3; relay++) {
        // A piece or two of what was spliced may be more than there was room for.
        assertThat(requireNonNull(sinks.apply(chain.status(relay).totals())).notSentBytes())
            .isBetween(0L, BUDGET);
      }
    }
    enough.set(true);
    long blocks = 0;
    byte[] read = to.getInputStream().readNBytes(block.length);
    while (read.length > 0) {
      assertThat(read).isEqualTo(numbered(block, blocks++));
      read = to.getInputStream().readNBytes(block.length);
    }
    assertThat(blocks).isEqualTo(writing.join());
    for (int relay = 0; relay < 3; relay++) {
      assertThat(direction.apply(chain.streams(relay).getFirst()).peakHeldBytes())
          .isBetween(1L, BUDGET / 2);
    }
  }

  /** More of them than a relay has event loops, so that the messages share one with some. */
  @ParameterizedTest
  @MethodSource("ways")
  void messagesPassStreamsThatStandStill(Way way) throws Exception {
    int bulky = 4;
    byte[] bytes = random(16 << 20, 8);
    List<Socket> clients = new ArrayList<>();
    List<Socket> servers = new ArrayList<>();
    try (TestChain chain = open(way, TestChain.buffer(256 * 1024))) {
      for (int i = 0; i < bulky; i++) {
        clients.add(chain.connect());
        servers.add(destination.accept());
      }
      clients.forEach(
          client -> CompletableFuture.runAsync(() -> writeQuietly(client, bytes), threads));
      awaitStandstill(chain);
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        exchangeMessages(client, server);
      }
      for (Socket server : servers) {
        assertThat(server.getInputStream().readAllBytes()).isEqualTo(bytes);
      }
    } finally {
      for (Socket socket : Stream.concat(clients.stream(), servers.stream()).toList()) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void messagesPassStreamsThatCarryAllTheyCan(Way way) throws Exception {
    int bulky = 4;
    byte[] bytes = random(1 << 20, 9);
    AtomicBoolean enough = new AtomicBoolean();
    List<Socket> sockets = new ArrayList<>();
    try (TestChain chain = open(way, TestChain.defaults())) {
      List<CompletableFuture<Long>> read = new ArrayList<>();
      List<CompletableFuture<Long>> written = new ArrayList<>();
      for (int i = 0; i < bulky; i++) {
        Socket client = chain.connect();
        Socket server = destination.accept();
        sockets.addAll(List.of(client, server));
        written.add(
            CompletableFuture.supplyAsync(() -> writeUntil(enough, client, bytes), threads));
        read.add(readAll(server, bytes));
      }
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        exchangeMessages(client, server);
      }
      enough.set(true);
      for (int i = 0; i < bulky; i++) {
        assertThat(read.get(i).get()).isEqualTo(written.get(i).get());
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void holdsNoMoreThanTheBudgetWhenTheEndArrivesBeforeTheReaderWantsIt(Way way) throws Exception {
    long budget = 128 * 1024;
    byte[] bytes = random(2 << 20, 7);
    try (TestChain chain = open(way, TestChain.buffer(budget));
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.setSendBufferSize(4 << 20);
      write(client, bytes); // and the end, all of it in the kernels' buffers
      assertThat(server.getInputStream().readAllBytes()).isEqualTo(bytes);
      for (int relay = 0; relay < 3; relay++) {
        assertThat(chain.streams(relay).getFirst().forward().peakHeldBytes())
            .isLessThanOrEqualTo(budget);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void readsOnAfterTheEndArrivedWhileThereWasNoRoom(Way way) throws Exception {
    byte[] bytes = random(24 << 20, 10);
    try (TestChain chain = open(way, TestChain.buffer(256 * 1024));
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(() -> writeQuietly(client, bytes), threads);
      // Read just so much that the writer can finish, with all the rest and the end on the way.
      InputStream in = server.getInputStream();
      int read = 0;
      while (!writing.isDone()) {
        read += in.readNBytes(64 * 1024).length;
      }
      awaitStandstill(chain);
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, read, bytes.length));
      server.getOutputStream().write('!');
      assertThat(client.getInputStream().read()).isEqualTo('!');
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void storesAndForwardsAWholeDirection(Way way) throws Exception {
    StreamOptions store = TestChain.options(Map.of("mode", ForwardMode.STORE_AND_FORWARD));
    byte[] bytes = random(9_000_000, 8);
    try (TestChain chain = open(way, store);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> atServer = readAll(server);
      client.getOutputStream().write(bytes);
      await().until(() -> chain.streams(0).getFirst().forward().bytesIn() == bytes.length);
      assertThat(chain.streams(0).getFirst().forward().bytesOut()).isZero();
      client.shutdownOutput();
      assertThat(atServer.get()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void startsOnlyAfterTheThresholdOrTheEnd(Way way) throws Exception {
    StreamOptions threshold = TestChain.options(Map.of("startAfterBytes", 100_000));
    try (TestChain chain = open(way, threshold);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(random(50_000, 9));
      await().until(() -> chain.streams(0).getFirst().forward().bytesIn() == 50_000);
      // A source that has been silent for 50 ms is waited for no longer, on a busy machine as well.
      assertThat(chain.streams(0).getFirst().forward().bytesOut()).isIn(0L, 50_000L);
      client.shutdownOutput();
      assertThat(server.getInputStream().readAllBytes()).isEqualTo(random(50_000, 9));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void passesOnWholeChunksAndTheRestWithTheEnd(Way way) throws Exception {
    byte[] bytes = random(250_000, 11);
    StreamOptions chunks = TestChain.options(Map.of("chunkBytes", 100_000));
    try (TestChain chain = open(way, chunks);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(bytes);
      await().until(() -> chain.streams(0).getFirst().forward().bytesIn() == bytes.length);
      InputStream in = server.getInputStream();
      assertThat(in.readNBytes(200_000)).isEqualTo(Arrays.copyOf(bytes, 200_000));
      // What is left leaves with the end, or once the source has been silent for 50 ms.
      assertThat(chain.streams(0).getFirst().forward().bytesOut()).isIn(200_000L, 250_000L);
      client.shutdownOutput();
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 200_000, bytes.length));
    }
  }

  /** How the chain under test is made. */
  TestChain open(Way way, StreamOptions options) throws Exception {
    return TestChain.open(3, way.transport(), way.pump(), address(), options);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", destination.getLocalPort());
  }

  private CompletableFuture<byte[]> readAll(Socket from) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return from.getInputStream().readAllBytes();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        threads);
  }

  private static void write(Socket to, byte[] bytes) throws IOException {
    OutputStream out = to.getOutputStream();
    out.write(bytes);
    to.shutdownOutput();
  }

  private static void writeQuietly(Socket to, byte[] bytes) {
    try {
      write(to, bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Writes numbered blocks until it is enough, then ends the stream; how many. */
  private static long repeatUntil(AtomicBoolean enough, byte[] block, Socket to) {
    try {
      long blocks = 0;
      for (; !enough.get(); blocks++) {
        to.getOutputStream().write(numbered(block, blocks));
      }
      to.shutdownOutput();
      return blocks;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static byte[] numbered(byte[] block, long number) {
    return ByteBuffer.wrap(block.clone()).putLong(0, number).array();
  }

  private static void exchangeMessages(Socket client, Socket server) throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    for (int i = 0; i < 100; i++) {
      byte[] message = random(64, i);
      client.getOutputStream().write(message);
      assertThat(server.getInputStream().readNBytes(message.length)).isEqualTo(message);
      server.getOutputStream().write(message);
      assertThat(client.getInputStream().readNBytes(message.length)).isEqualTo(message);
    }
  }

  /** The same bytes again and again; answers how many. */
  private static long writeUntil(AtomicBoolean enough, Socket to, byte[] bytes) {
    try {
      long written = 0;
      do {
        to.getOutputStream().write(bytes);
        written += bytes.length;
      } while (!enough.get());
      to.shutdownOutput();
      return written;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Reads a stream of the same bytes again and again; answers how many came, all as expected. */
  private CompletableFuture<Long> readAll(Socket from, byte[] expected) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            long read = 0;
            byte[] came = from.getInputStream().readNBytes(expected.length);
            while (came.length > 0) {
              assertThat(Arrays.equals(came, expected)).isTrue();
              read += came.length;
              came = from.getInputStream().readNBytes(expected.length);
            }
            return read;
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        threads);
  }

  private static void awaitStandstill(TestChain chain) {
    long[] last = {-1};
    await()
        .pollInterval(200, TimeUnit.MILLISECONDS)
        .until(() -> {
          long now =
              chain.streams(0).stream()
                  .mapToLong(each -> each.forward().bytesIn() + each.backward().bytesIn())
                  .sum();
          boolean still = now == last[0] && now > 0;
          last[0] = now;
          return still;
        });
  }

  private static StreamReport ended(TestChain chain, int relay) {
    return await()
        .until(
            () -> chain.streams(relay).getFirst(), report -> report.state() != StreamState.RUNNING);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
