package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.api.Json;
import io.cascade.api.relay.Limits;
import io.cascade.relay.chain.ChainSnapshot;
import io.cascade.relay.handover.Estate;
import io.cascade.relay.handover.HandOverSocket;
import io.cascade.relay.tls.IdentityPapers;
import io.cascade.relay.transport.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a running relay was told goes to the process that takes its place, whatever its version. */
@Timeout(120)
class InheritedLimitsTest {
  private static final String NAME = "r1";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long MEMORY = 64 << 20;
  private static final Limits TUNED = new Limits(77, 32L << 20, 128L << 10, 9);

  @TempDir private Path folder;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, Transport.best().newIoHandlerFactory());

  @SuppressWarnings("NullAway.Init")
  InheritedLimitsTest() {}

  @BeforeEach
  void onEpollOnly() {
    assumeThat(Transport.EPOLL.available())
        .as("SKIPPED: sockets are handed over on Linux's epoll only")
        .isTrue();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  @Test
  void whatWasTunedHoldsAtTheSuccessorAndAtItsOwn() throws Exception {
    tune(start(relay()), TUNED);
    assertThat(limits(start(relay()))).isEqualTo(TUNED);
    assertThat(limits(start(relay()))).isEqualTo(TUNED);
  }

  @Test
  void whatTheCommandLineSaysAnewHolds() throws Exception {
    tune(start(relay().maxStreams(500)), TUNED);
    RelayNode after = start(relay().maxStreams(600));
    assertThat(limits(after))
        .isEqualTo(new Limits(600, TUNED.memoryBytes(), TUNED.streamBytes(), TUNED.drainSeconds()));
  }

  @Test
  void whatNobodyTunedIsTheCommandLines() throws Exception {
    Limits before = limits(start(relay()));
    assertThat(limits(start(relay()))).isEqualTo(before);
    assertThat(limits(start(relay().memory(16 << 20))).memoryBytes()).isEqualTo(16 << 20);
  }

  @Test
  void aPredecessorThatKnowsNothingOfThemIsReplacedAllTheSame() throws Exception {
    predecessor(null);
    assertThat(limits(start(relay())).maxStreams()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "null",
        "[]",
        "{}",
        "{\"commandLine\":{\"maxStreams\":10000}}",
        "{\"commandLine\":{\"maxStreams\":10000},\"now\":{\"maxStreams\":0}}",
        "{\"commandLine\":{\"maxStreams\":10000},\"now\":{\"maxStreams\":1000001}}",
        "{\"commandLine\":{\"maxStreams\":10000},\"now\":{\"maxStreams\":9999999999}}",
        "{\"commandLine\":{\"maxStreams\":10000},\"now\":{\"maxStreams\":50,\"memoryBytes\":-1}}",
      })
  void limitsThatCannotBeAreIgnored(String left) throws Exception {
    predecessor(left);
    RelayNode after = start(relay());
    assertThat(limits(after).maxStreams()).isEqualTo(10_000);
    assertThat(limits(after).memoryBytes()).isEqualTo(MEMORY);
  }

  @Test
  void limitsOfALaterVersionAreTakenAsFarAsTheyAreKnown() throws Exception {
    predecessor(
        "{\"commandLine\":{\"maxStreams\":10000,\"more\":1},\"now\":{\"maxStreams\":50,\"more\":2}}");
    assertThat(limits(start(relay())).maxStreams()).isEqualTo(50);
  }

  @Test
  void aSuccessorThatKnowsNothingOfThemTakesThePlaceAllTheSame() throws Exception {
    RelayNode before = start(relay());
    tune(before, TUNED);
    HandOverSocket successor = Objects.requireNonNull(HandOverSocket.connect(path(), loops));
    successor.send(NAME);
    FirstEstate estate = Json.strict().readValue(successor.read(PATIENCE), FirstEstate.class);
    assertThat(estate.instance()).isEqualTo(before.instance());
    assertThat(successor.readSockets(1, PATIENCE)).hasSize(1);
    successor.send("serving");
    assertThat(successor.read(PATIENCE)).isEqualTo("left");
    successor.close();
    before.awaitTermination();
  }

  @Test
  void anEstateThatIsNotUnderstoodIsNotShown() throws Exception {
    open.add(
        HandOverSocket.listen(
                path(), loops, socket -> socket.send("{\"name\":\"r1\",\"keysOfLater\":\"hush\"}"))
            ::close);
    assertThatThrownBy(() -> start(relay()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another version")
        .hasMessageNotContaining("hush")
        .hasNoCause();
  }

  /** What an estate was at first; there is no more in it that every version has to understand. */
  private record FirstEstate(
      String name,
      UUID instance,
      @Nullable IdentityPapers papers,
      List<ChainSnapshot> chains,
      List<String> proxies) {}

  /**
   * A process that leaves a port to its successor, and nothing else.
   *
   * @param last what it says behind its last word; null for nothing
   */
  private void predecessor(@Nullable String last) throws Exception {
    Channel port =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .childHandler(new ChannelInboundHandlerAdapter())
            .bind(new InetSocketAddress("127.0.0.1", 0))
            .sync()
            .channel();
    open.add(port::close);
    Channel listening =
        HandOverSocket.listen(
            path(),
            loops,
            socket -> {
              try (socket) {
                assertThat(socket.read(PATIENCE)).isEqualTo(NAME);
                Estate estate =
                    new Estate(NAME, UUID.randomUUID(), null, List.of(), List.of(), null);
                socket.send(Json.strict().writeValueAsString(estate));
                socket.sendSockets(List.of(((UnixChannel) port).fd().intValue()), PATIENCE);
                assertThat(socket.read(PATIENCE)).isEqualTo("serving");
                socket.send("left");
                if (last != null) {
                  socket.send(last);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    open.add(listening::close);
  }

  private TestRelay relay() {
    return TestRelay.on(Transport.EPOLL).memory(MEMORY).handOver(path());
  }

  private Path path() {
    return folder.resolve("r1.sock");
  }

  private RelayNode start(TestRelay relay) throws IOException {
    RelayNode node = relay.start(NAME);
    open.add(node);
    return node;
  }

  private static Limits limits(RelayNode relay) {
    return TestChain.control(relay).limits(PATIENCE);
  }

  private static void tune(RelayNode relay, Limits to) {
    assertThat(TestChain.control(relay).change(to, PATIENCE)).isEqualTo(to);
  }
}
