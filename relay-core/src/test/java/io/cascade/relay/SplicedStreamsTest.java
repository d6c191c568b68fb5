package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that go through pipes in the kernel arrive as others do. */
@Timeout(60)
class SplicedStreamsTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket destination;

  @BeforeEach
  void listen() throws IOException {
    SpliceNeeded.check();
    LeakWatch.start();
    destination = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    if (destination != null) {
      destination.close();
      LeakWatch.assertNothingLeaks();
    }
    threads.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theKernelMovesAllButTheFirstBytes(int relays) throws Exception {
    byte[] there = random(20_000_000, 1);
    byte[] back = random(10_000_000, 2);
    try (TestChain chain = open(relays);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> atServer = readAll(server);
      CompletableFuture<byte[]> atClient = readAll(client);
      CompletableFuture<Void> writing = write(client, there);
      write(server, back).get();
      writing.get();
      assertThat(Arrays.equals(atServer.get(), there)).isTrue();
      assertThat(Arrays.equals(atClient.get(), back)).isTrue();
      StreamReport report = ended(chain, 0);
      assertThat(report.state()).isEqualTo(StreamState.COMPLETED);
      assertSpliced(report.forward(), there.length);
      assertSpliced(report.backward(), back.length);
    }
  }

  @Test
  void anEndRightBehindTheBytesCutsNothingOff() throws Exception {
    try (TestChain chain = open(2)) {
      for (int i = 0; i < 60; i++) {
        byte[] bytes = random(1 + (i * 7_919) % 400_000, i);
        try (Socket client = chain.connect()) {
          CompletableFuture<Void> writing = write(client, bytes);
          try (Socket server = destination.accept()) {
            assertThat(Arrays.equals(server.getInputStream().readAllBytes(), bytes)).isTrue();
          }
          writing.get();
        }
      }
    }
  }

  @Test
  void bytesOfEverySizeAndPauseKeepTheirOrder() throws Exception {
    try (TestChain chain = open(2);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      SplittableRandom random = new SplittableRandom(11);
      byte[] sent = random(6_000_000, 3);
      CompletableFuture<byte[]> received = readAll(server);
      int at = 0;
      while (at < sent.length) {
        int most = 1 << random.nextInt(1, 19);
        int length = Math.min(sent.length - at, random.nextInt(1, most + 1));
        client.getOutputStream().write(sent, at, length);
        at += length;
        if (random.nextInt(20) == 0) {
          int echo = random.nextInt(256);
          server.getOutputStream().write(echo); // so that the relays have been idle once
          assertThat(client.getInputStream().read()).isEqualTo(echo);
        }
      }
      client.shutdownOutput();
      assertThat(Arrays.equals(received.get(), sent)).isTrue();
    }
  }

  @Test
  void aResetComesBehindWhatPrecededIt() throws Exception {
    byte[] bytes = random(300_000, 5);
    try (TestChain chain = open(1);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(bytes);
      await().until(() -> chain.streams(0).getFirst().forward().bytesIn() == bytes.length);
      client.setSoLinger(true, 0);
      client.close();
      InputStream in = server.getInputStream();
      assertThat(in.readNBytes(bytes.length)).isEqualTo(bytes);
      assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("reset");
      assertThat(ended(chain, 0).reason()).isEqualTo("inlet-reset");
    }
  }

  @Test
  void aSinkThatResetsEndsTheSource() throws Exception {
    try (TestChain chain = open(1);
        Socket client = chain.connect()) {
      Socket server = destination.accept();
      client.getOutputStream().write(random(100_000, 6));
      assertThat(server.getInputStream().readNBytes(100_000)).hasSize(100_000);
      server.setSoLinger(true, 0);
      server.close();
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reset");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = PumpMode.class,
      names = {"COPY", "SPLICE"})
  void aSourceThatResetsWhileNobodyReadsIsNoticedOnceSomebodyDoes(PumpMode pump) throws Exception {
    try (TestChain chain =
            TestChain.open(1, Transport.EPOLL, pump, address(), TestChain.buffer(256 * 1024));
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<Void> writing = write(client, random(32 << 20, 7));
      awaitStandstill(chain);
      client.setSoLinger(true, 0);
      client.close();
      assertThatThrownBy(writing::get).hasRootCauseInstanceOf(IOException.class);
      assertThatThrownBy(() -> server.getInputStream().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("reset");
      assertThat(ended(chain, 0).state()).isEqualTo(StreamState.FAILED);
    }
  }

  @Test
  void aStreamThatIsAbortedLeavesNoPipe() throws Exception {
    try (TestChain chain =
        TestChain.open(
            1, Transport.EPOLL, PumpMode.SPLICE, address(), TestChain.buffer(256 * 1024))) {
      long before;
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        client.getOutputStream().write(1);
        assertThat(server.getInputStream().read()).isEqualTo(1);
        before = pipes();
        CompletableFuture<Void> writing = write(client, random(32 << 20, 8));
        awaitStandstill(chain);
        assertThat(chain.streams(0).getFirst().forward().heldBytes()).isPositive();
        chain.control(0).remove(chain.id, true, TestChain.PATIENCE);
        assertThatThrownBy(writing::get).hasRootCauseInstanceOf(IOException.class);
      }
      await().until(() -> pipes() <= before);
    }
  }

  @Test
  void aRelayThatStopsClosesItsPipes() throws Exception {
    long before = pipes();
    theKernelMovesAllButTheFirstBytes(1);
    await().until(() -> pipes() <= before);
  }

  @Test
  void transportsThatCannotSpliceCopy() throws Exception {
    byte[] bytes = random(1_000_000, 9);
    try (TestChain chain =
            TestChain.open(1, Transport.NIO, PumpMode.SPLICE, address(), TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      write(client, bytes);
      assertThat(server.getInputStream().readAllBytes()).isEqualTo(bytes);
      assertThat(chain.streams(0).getFirst().forward().splicedBytes()).isZero();
    }
  }

  @Test
  void bulkIsLeftToTheKernelOnceItsEventLoopIsBusy() throws Exception {
    byte[] bytes = random(5_000_000, 10);
    try (TestChain chain = openAutomatic();
        BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<Long> right =
          CompletableFuture.supplyAsync(() -> same(server, bytes), threads);
      long sent = 0;
      do {
        client.getOutputStream().write(bytes);
        sent += bytes.length;
      } while (spliced(chain) == 0);
      client.shutdownOutput();
      assertThat(right.get()).isEqualTo(sent);
    }
  }

  /** Netty reads twice when it sees an end, the second time though reading was taken over. */
  @Test
  void anEndThatComesWhileTheKernelTakesOverCutsNothingOff() throws Exception {
    try (TestChain chain = openAutomatic();
        BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops)) {
      for (int i = 0; i < 40; i++) {
        byte[] bytes = random(1_000_000 + (i * 79_190) % 3_000_000, i);
        try (Socket client = chain.connect();
            Socket server = destination.accept()) {
          CompletableFuture<byte[]> atServer = readAll(server);
          write(client, bytes).get();
          assertThat(Arrays.equals(atServer.get(), bytes)).isTrue();
        }
      }
    }
  }

  @Test
  void bulkIsCopiedAgainOnceItsEventLoopHasTimeToSpare() throws Exception {
    byte[] bytes = random(1_000_000, 12);
    try (TestChain chain = openAutomatic();
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<Long> right =
          CompletableFuture.supplyAsync(() -> same(server, bytes), threads);
      long sent = 0;
      try (BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops)) {
        do {
          client.getOutputStream().write(bytes);
          sent += bytes.length;
        } while (spliced(chain) == 0);
      }
      long before;
      do { // more slowly
        before = spliced(chain);
        TimeUnit.MILLISECONDS.sleep(150); // longer than a loop's time is measured
        client.getOutputStream().write(bytes);
        sent += bytes.length;
        long all = sent;
        await().until(() -> arrived(chain) == all);
      } while (spliced(chain) > before);
      client.shutdownOutput();
      assertThat(right.get()).isEqualTo(sent);
    }
  }

  @Test
  void messagesAreCopiedHoweverLittleTimeThereIs() throws Exception {
    try (TestChain chain = openAutomatic();
        BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      byte[] message = random(10_000, 11);
      for (int i = 0; i < 20; i++) {
        client.getOutputStream().write(message);
        assertThat(server.getInputStream().readNBytes(message.length)).isEqualTo(message);
      }
      assertThat(chain.streams(0).getFirst().forward().splicedBytes()).isZero();
    }
  }

  @Test
  void messagesAreCopiedAgainWhereBulkCameBefore() throws Exception {
    byte[] bytes = random(1_000_000, 14);
    byte[] message = random(10_000, 15);
    try (TestChain chain = openAutomatic();
        BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      do {
        CompletableFuture<byte[]> arrives =
            CompletableFuture.supplyAsync(() -> read(server, bytes.length), threads);
        client.getOutputStream().write(bytes);
        assertThat(arrives.get()).isEqualTo(bytes);
      } while (spliced(chain) == 0);
      for (int i = 0; i < 20; i++) {
        client.getOutputStream().write(message);
        assertThat(server.getInputStream().readNBytes(message.length)).isEqualTo(message);
      }
      long before = spliced(chain);
      client.getOutputStream().write(message);
      assertThat(server.getInputStream().readNBytes(message.length)).isEqualTo(message);
      assertThat(spliced(chain)).isEqualTo(before);
    }
  }

  @Test
  void bulkIsCopiedWhileItsEventLoopCarriesMessages() throws Exception {
    byte[] bytes = random(1_000_000, 13);
    byte[] message = random(64, 14);
    List<Socket> ends = new ArrayList<>(); // of more messages' streams than the relay has loops
    try (TestChain chain = openAutomatic();
        BusyEventLoops _ = new BusyEventLoops(chain.relays.getFirst().loops);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<Long> right =
          CompletableFuture.supplyAsync(() -> same(server, bytes), threads);
      long sent = 0;
      do {
        client.getOutputStream().write(bytes);
        sent += bytes.length;
      } while (spliced(chain) == 0);
      for (int i = 0; i < 8; i++) {
        ends.add(chain.connect());
        ends.add(destination.accept());
      }
      long before;
      do {
        before = spliced(chain);
        for (int i = 0; i < ends.size(); i += 2) {
          ends.get(i).getOutputStream().write(message);
          assertThat(ends.get(i + 1).getInputStream().readNBytes(message.length))
              .isEqualTo(message);
        }
        client.getOutputStream().write(bytes);
        sent += bytes.length;
        long all = sent;
        await().until(() -> arrived(chain) == all);
      } while (spliced(chain) > before);
      client.shutdownOutput();
      assertThat(right.get()).isEqualTo(sent);
    } finally {
      for (Socket end : ends) {
        end.close();
      }
    }
  }

  /** The direction that has brought most. */
  private static DirectionReport bulk(TestChain chain) throws Exception {
    return chain.streams(0).stream()
        .map(StreamReport::forward)
        .max(Comparator.comparing(DirectionReport::bytesIn))
        .orElseThrow();
  }

  private static long spliced(TestChain chain) throws Exception {
    return Objects.requireNonNull(bulk(chain).splicedBytes());
  }

  private static long arrived(TestChain chain) throws Exception {
    return Objects.requireNonNull(bulk(chain).bytesOut());
  }

  /** How many bytes came until the end, {@code expected} over and over. */
  private static long same(Socket from, byte[] expected) {
    try {
      long came = 0;
      for (byte[] next = from.getInputStream().readNBytes(expected.length);
          next.length > 0;
          next = from.getInputStream().readNBytes(expected.length)) {
        assertThat(next).isEqualTo(expected);
        came += next.length;
      }
      return came;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestChain openAutomatic() throws Exception {
    return TestChain.open(1, Transport.EPOLL, PumpMode.AUTO, address(), TestChain.defaults());
  }

  private TestChain open(int relays) throws Exception {
    return TestChain.open(
        relays, Transport.EPOLL, PumpMode.SPLICE, address(), TestChain.defaults());
  }

  private InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", destination.getLocalPort());
  }

  private static void assertSpliced(DirectionReport direction, long bytes) {
    assertThat(direction.bytesOut()).isEqualTo(bytes);
    assertThat(direction.heldBytes()).isZero();
    assertThat(direction.splicedBytes()).isBetween(bytes - (1 << 20), bytes);
  }

  private static byte[] read(Socket from, int length) {
    try {
      return from.getInputStream().readNBytes(length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<byte[]> readAll(Socket from) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return from.getInputStream().readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        threads);
  }

  private CompletableFuture<Void> write(Socket to, byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            to.getOutputStream().write(bytes);
            to.shutdownOutput();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        threads);
  }

  private static StreamReport ended(TestChain chain, int relay) {
    return await()
        .until(
            () -> chain.streams(relay).getFirst(), report -> report.state() != StreamState.RUNNING);
  }

  private static void awaitStandstill(TestChain chain) {
    long[] last = {-1};
    await()
        .pollInterval(200, java.util.concurrent.TimeUnit.MILLISECONDS)
        .until(() -> {
          long now = chain.streams(0).getFirst().forward().bytesIn();
          boolean still = now == last[0] && now > 0;
          last[0] = now;
          return still;
        });
  }

  /** Ends of pipes that this process has open. */
  private static long pipes() throws IOException {
    try (Stream<Path> open = Files.list(DESCRIPTORS)) {
      return open.filter(SplicedStreamsTest::isPipe).count();
    }
  }

  private static boolean isPipe(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }
}
