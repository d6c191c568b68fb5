package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.PipeScheduler;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.Transport;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of ordinary clients that relays carry over two pipes. */
@Timeout(60)
class SegmentedStreamsTest {
  private static final int BYTES = 24 << 20;
  private static final int PIECE = 64 << 10;

  private ServerSocket destination;
  private final AtomicLong arrived = new AtomicLong();

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    destination.close();
  }

  private SegmentedChain open(Transport transport) throws Exception {
    return SegmentedChain.open(transport, at(destination), TestChain.defaults(), "a,b,z", "a,c,z");
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aStreamArrivesWholeAndEachDirectionEndsByItself(Transport transport) throws Exception {
    try (SegmentedChain chain = open(transport);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      assertThat(got.isDone()).isFalse();
      byte[] sent = send(client, new CountDownLatch(0));
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent);
      server.getOutputStream().write(7);
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).containsExactly(7);
      await()
          .until(() ->
              chain
                      .control("a")
                      .streams(chain.id(), TestChain.PATIENCE)
                      .streams()
                      .getFirst()
                      .reason()
                  != null);
      assertThat(chain.control("a").streams(chain.id(), TestChain.PATIENCE).streams())
          .singleElement()
          .satisfies(stream -> assertThat(stream.reason()).isEqualTo("completed"));
    }
  }

  @ParameterizedTest
  @EnumSource(PipeScheduler.class)
  void aChainSaysWhichPipeCarriesWhat(PipeScheduler scheduler) throws Exception {
    try (SegmentedChain chain =
            SegmentedChain.open(
                Transport.best(),
                at(destination),
                TestChain.options(Map.of("scheduler", scheduler)),
                "a,b,z",
                "a,c,z");
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      byte[] sent = send(client, new CountDownLatch(0));
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent);
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      long carried = pipe(chain, 0).sentBytes() + pipe(chain, 1).sentBytes();
      if (scheduler == PipeScheduler.DUPLICATE) {
        assertThat(carried).as("more than once").isGreaterThan(BYTES + BYTES / 10);
      } else {
        assertThat(carried).isGreaterThan(BYTES);
      }
    }
  }

  @Test
  void aStreamSurvivesTheDeathOfEitherMiddleRelayInTurn() throws Exception {
    try (SegmentedChain chain = open(Transport.best());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<byte[]> sent =
          CompletableFuture.supplyAsync(() -> send(client, goOn), Thread::startVirtualThread);
      await().until(() -> arrived.get() > BYTES / 4);
      chain.kill("b");
      chain.restart(Transport.best(), "b");
      await().until(() -> running(chain, "b") == 1);
      chain.kill("c");
      goOn.countDown();
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent.get(30, TimeUnit.SECONDS));
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aWithdrawnPipeLeavesItsRelayWithoutABreak() throws Exception {
    moves(chain -> chain.withdraw(0));
  }

  @Test
  void pipesFollowAChainThatLeadsThroughAnotherRelay() throws Exception {
    moves(chain -> {
      chain.lead(Transport.best(), 0, "a,d,z");
      await().until(() -> running(chain, "d") == 1);
    });
  }

  /** A move of the first pipe. */
  private interface Move {
    void of(SegmentedChain chain) throws Exception;
  }

  private void moves(Move move) throws Exception {
    try (SegmentedChain chain = open(Transport.best());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<byte[]> sent =
          CompletableFuture.supplyAsync(() -> send(client, goOn), Thread::startVirtualThread);
      await().until(() -> arrived.get() > BYTES / 4 && running(chain, "b") == 1);
      move.of(chain);
      await().until(() -> gone(chain, "b"));
      goOn.countDown();
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent.get(30, TimeUnit.SECONDS));
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      for (String junction : List.of("a", "z")) {
        StreamTotals totals = chain.control(junction).show(chain.id(), TestChain.PATIENCE).totals();
        assertThat(Objects.requireNonNull(totals.pipes()))
            .as(junction)
            .extracting(PipeTotals::lost)
            .containsOnly(0L);
      }
      assertThat(pipe(chain, 0).moved()).isEqualTo(1);
      assertThat(pipe(chain, 0).change()).isNotNull();
    }
  }

  private static PipeTotals pipe(SegmentedChain chain, int pipe) {
    StreamTotals totals = chain.control("a").show(chain.id(), TestChain.PATIENCE).totals();
    return Objects.requireNonNull(totals.pipes()).get(pipe);
  }

  /** Whether no stream runs through a relay, which may have forgotten the chain with its last. */
  private static boolean gone(SegmentedChain chain, String relay) {
    return chain.control(relay).list(TestChain.PATIENCE).parts().stream()
        .filter(part -> part.chainId().equals(chain.id()))
        .allMatch(part -> part.totals().running() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "z"})
  void aStreamWhoseJunctionDrainsGetsLostPipesAnew(String junction) throws Exception {
    try (SegmentedChain chain = open(Transport.best());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      CountDownLatch goOn = new CountDownLatch(1);
      CompletableFuture<byte[]> sent =
          CompletableFuture.supplyAsync(() -> send(client, goOn), Thread::startVirtualThread);
      await().until(() -> running(chain, "b") == 1 && running(chain, "c") == 1);
      Limits limits = chain.control(junction).limits(TestChain.PATIENCE);
      assertThat(
              chain
                  .control(junction)
                  .change(
                      Limits.builder().maxStreams(limits.maxStreams()).drainSeconds(60).build(),
                      TestChain.PATIENCE))
          .isNotNull();
      Thread draining = Thread.startVirtualThread(() -> chain.kill(junction));
      await().until(() -> drains(chain, junction));
      chain.cut("b");
      await().until(() -> running(chain, "b") == 1);
      chain.cut("c");
      await().until(() -> running(chain, "c") == 1);
      goOn.countDown();
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent.get(30, TimeUnit.SECONDS));
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      draining.join();
    }
  }

  private static boolean drains(SegmentedChain chain, String relay) {
    return chain.control(relay).list(TestChain.PATIENCE).parts().stream()
        .allMatch(part -> part.state() == PartState.REMOVED);
  }

  @Test
  void pipesMayBeEncryptedAndGoThroughTheSameRelay() throws Exception {
    Map<String, RelayNode> relays = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "z")) {
      relays.put(name, TestRelay.on(Transport.best()).start(name));
    }
    try (SegmentedChain chain =
            SegmentedChain.over(relays, at(destination), false, true, "a,b,z", "a,b,z", "a,z");
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      CompletableFuture<byte[]> got = digested(server);
      byte[] sent = send(client, new CountDownLatch(0));
      assertThat(got.get(30, TimeUnit.SECONDS)).isEqualTo(sent);
      server.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      StreamTotals totals = chain.control("a").show(chain.id(), TestChain.PATIENCE).totals();
      List<PipeTotals> pipes = Objects.requireNonNull(totals.pipes());
      assertThat(pipes).hasSize(3);
      assertThat(pipes.stream().mapToLong(PipeTotals::sentBytes).sum()).isGreaterThan(BYTES);
      assertThat(totals.outlets()).extracting(hop -> hop.hop().pipe()).containsExactly(0, 1, 2);
    }
  }

  private static InetSocketAddress at(ServerSocket listening) {
    return new InetSocketAddress("127.0.0.1", listening.getLocalPort());
  }

  @Test
  void aResetOfOneEndArrivesAtTheOtherBehindWhatPreceded() throws Exception {
    try (SegmentedChain chain = open(Transport.best());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(new byte[] {1, 2, 3});
      assertThat(server.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
      client.setSoLinger(true, 0);
      client.close();
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void aDestinationThatCannotBeReachedResetsTheClient() throws Exception {
    try (ReservedPort nobody = ReservedPort.take();
        SegmentedChain chain =
            SegmentedChain.open(
                Transport.best(),
                new InetSocketAddress("127.0.0.1", nobody.number()),
                TestChain.defaults(),
                "a,b,z",
                "a,c,z");
        Socket client = chain.connect()) {
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void withoutAnyPipeLeftTheStreamIsResetAndNotEnded() throws Exception {
    try (SegmentedChain chain = open(Transport.best());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
      chain.kill("a");
      client.close();
      // The far junction waits for a while: the relay may come back, for all that it knows.
      chain.kill("z");
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  /** The other junction waits for pipes as long as it may, which both chains do side by side. */
  @Test
  @Tag("slow")
  @Timeout(120)
  void aJunctionThatIsKilledResetsBothEnds() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SegmentedChain withoutFirst = open(Transport.best());
        SegmentedChain withoutLast =
            SegmentedChain.open(
                Transport.best(), at(other), TestChain.defaults(), "a,b,z", "a,c,z");
        Socket client = withoutFirst.connect();
        Socket server = destination.accept();
        Socket otherClient = withoutLast.connect();
        Socket otherServer = other.accept()) {
      for (Socket end : List.of(client, server, otherClient, otherServer)) {
        end.setSoTimeout(90_000);
      }
      passes(client, server);
      passes(otherClient, otherServer);

      withoutFirst.kill("a");
      withoutLast.kill("z");

      for (Socket end : List.of(client, otherServer, server, otherClient)) {
        assertThatThrownBy(() -> end.getInputStream().read()).isInstanceOf(SocketException.class);
      }
    }
  }

  private static void passes(Socket from, Socket to) throws IOException {
    from.getOutputStream().write(1);
    assertThat(to.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void nothingIsHeldOnceTheStreamsAreOver() throws Exception {
    try (SegmentedChain chain = open(Transport.best())) {
      for (int i = 0; i < 20; i++) {
        try (Socket client = chain.connect();
            Socket server = destination.accept()) {
          client.getOutputStream().write(new byte[10_000]);
          client.shutdownOutput();
          assertThat(server.getInputStream().readAllBytes()).hasSize(10_000);
          server.shutdownOutput();
          assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
      }
      for (String relay : List.of("a", "b", "c", "z")) {
        await().until(() -> running(chain, relay) == 0);
        await().until(() -> held(chain, relay) == 0);
      }
    }
  }

  private static long held(SegmentedChain chain, String relay) {
    Long held = chain.control(relay).show(chain.id(), TestChain.PATIENCE).totals().heldBytes();
    return held == null ? 0 : held;
  }

  private static long running(SegmentedChain chain, String relay) {
    return chain.control(relay).show(chain.id(), TestChain.PATIENCE).totals().running();
  }

  private byte[] send(Socket client, CountDownLatch goOn) {
    try {
      OutputStream out = client.getOutputStream();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      SplittableRandom random = new SplittableRandom(1);
      byte[] piece = new byte[PIECE];
      for (int i = 0; i < BYTES / PIECE; i++) {
        if (i == BYTES / PIECE / 2) {
          goOn.await();
        }
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
      }
      client.shutdownOutput();
      return digest.digest();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<byte[]> digested(Socket server) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            InputStream in = server.getInputStream();
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] piece = new byte[PIECE];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
              digest.update(piece, 0, read);
              arrived.addAndGet(read);
            }
            return digest.digest();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }
}
