package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.api.relay.Limits;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.handover.HandoverSocket;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits that a running relay was given go to the process that takes its place. */
@Timeout(120)
class InheritedLimitsTest {
  private static final String NAME = "r1";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long MEMORY = 64 << 20;
  private static final Limits TUNED =
      Limits.builder()
          .maxStreams(77)
          .memoryBytes(32L << 20)
          .streamBytes(128L << 10)
          .drainSeconds(9)
          .build();

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
        .isEqualTo(
            Limits.builder()
                .maxStreams(600)
                .memoryBytes(TUNED.memoryBytes())
                .streamBytes(TUNED.streamBytes())
                .drainSeconds(TUNED.drainSeconds())
                .build());
  }

  @Test
  void whatNobodyTunedIsTheCommandLines() throws Exception {
    Limits before = limits(start(relay()));
    assertThat(limits(start(relay()))).isEqualTo(before);
    assertThat(limits(start(relay().memory(16 << 20))).memoryBytes()).isEqualTo(16 << 20);
  }

  @Test
  void limitsAreNotChangedWhileAnotherProcessTakesOver() throws Exception {
    RelayNode relay = start(relay());
    relay.chains.pause();
    assertThatThrownBy(() -> tune(relay, TUNED)).hasMessageContaining("handing over");
    relay.chains.resume();
    tune(relay, TUNED);
  }

  @Test
  void aStateThatIsNotUnderstoodIsNotShown() throws Exception {
    open.add(
        HandoverSocket.listen(
                path(), loops, socket -> socket.send("{\"name\":\"r1\",\"keysOfLater\":\"hush\"}"))
            ::close);
    assertThatThrownBy(() -> start(relay()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another version")
        .hasMessageNotContaining("hush")
        .hasNoCause();
  }

  @Test
  void whatIsNoSocketIsNotRemovedForTheHandOver() throws Exception {
    Files.writeString(path(), "data");

    assertThatThrownBy(() -> start(relay()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is a file, not a socket");
    assertThat(path()).hasContent("data");
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
