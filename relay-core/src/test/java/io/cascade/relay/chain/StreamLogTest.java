package io.cascade.relay.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.relay.stream.StreamWatch;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Somebody looks at a chain's streams, for which the kernel is called, while they come and go. */
class StreamLogTest {
  private static final long SENT_SEGMENTS = 70;
  private static final int CARRIED_BYTES = 100_000;
  private static final CloseReason ABORTED = new CloseReason.Aborted("a test");

  private static final Executor ANOTHER = task -> Thread.ofVirtual().start(task);

  private final MemoryBudget.Ledger ledger = new MemoryBudget(16 << 20).newLedger();
  private final StreamLog log = new StreamLog();
  private final List<CountedConnection> connections = new ArrayList<>();

  @AfterEach
  void close() {
    connections.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void streamsBeginAndEndWhileTheKernelIsAskedAboutAnother() throws Exception {
    Kernel slow = new Kernel();
    open(slow);
    RelayStream ending = open(Kernel.QUICK);
    CompletableFuture<StreamSums> sums = CompletableFuture.supplyAsync(log::sums, ANOTHER);
    slow.asked();

    within(() -> {
      assertThat(log.admit(3)).isTrue();
      log.ended(ending, ABORTED);
    });

    assertThat(sums).isNotDone();
    slow.answers();
    assertThat(sums.get(10, TimeUnit.SECONDS).running()).isEqualTo(2);
    assertThat(log.sums().ended()).containsEntry(ABORTED.code(), 1L);
  }

  @Test
  void aStreamThatEndsWhileSumsAreTakenIsInThemOnce() throws Exception {
    Kernel slow = new Kernel();
    RelayStream first = open(slow);
    RelayStream second = open(slow);
    CompletableFuture<StreamSums> sums = CompletableFuture.supplyAsync(log::sums, ANOTHER);
    slow.asked();

    end(first);
    end(second);

    slow.answers();
    StreamSums during = sums.get(10, TimeUnit.SECONDS);
    assertThat(during.document(List.of(), List.of(), List.of()).opened()).isEqualTo(2);
    assertThat(during.forwardBytes()).isEqualTo(2 * CARRIED_BYTES);
    assertThat(during.inlet().sentSegments()).isEqualTo(2 * SENT_SEGMENTS);
    StreamSums after = log.sums();
    assertThat(after.running()).isZero();
    assertThat(after.document(List.of(), List.of(), List.of()).opened()).isEqualTo(2);
    assertThat(after.forwardBytes()).isEqualTo(2 * CARRIED_BYTES);
    assertThat(after.inlet().sentSegments()).isEqualTo(2 * SENT_SEGMENTS);
    assertThat(after.forwardStalls().dataNanos())
        .isGreaterThanOrEqualTo(during.forwardStalls().dataNanos());
  }

  @Test
  void aStreamThatHasEndedIsReportedOnce() {
    end(open(Kernel.QUICK));
    open(Kernel.QUICK);
    assertThat(log.reports())
        .extracting(StreamReport::state)
        .containsExactly(StreamState.FAILED, StreamState.RUNNING);
  }

  @Test
  void whatAConnectionHadCountedStaysWhenItBreaks() {
    RelayStream stream = open(Kernel.QUICK);
    stream.inlet().pipeline().fireExceptionCaught(new IOException("reset"));
    assertThat(stream.inlet().isOpen()).isFalse();
    assertThat(log.sums().inlet().sentSegments()).isEqualTo(SENT_SEGMENTS);
    end(stream);
    assertThat(log.sums().inlet().sentSegments()).isEqualTo(SENT_SEGMENTS);
  }

  @Test
  void noMoreThanAllowedAreAdmittedAndOneThatEndsMakesRoom() {
    RelayStream stream = open(Kernel.QUICK);
    assertThat(log.admit(1)).isFalse();
    end(stream);
    assertThat(log.admit(1)).isTrue();
    assertThat(log.admit(1)).isFalse();
  }

  /** A stream that has carried something and whose onward connection stands. */
  private RelayStream open(Kernel kernel) {
    CountedConnection inlet = new CountedConnection(kernel);
    CountedConnection onward = new CountedConnection(Kernel.QUICK);
    connections.addAll(List.of(inlet, onward));
    assertThat(log.admit(Integer.MAX_VALUE)).isTrue();
    RelayStream stream =
        new RelayStream(
            new StreamStart(
                UUID.randomUUID(),
                new InetSocketAddress("127.0.0.1", 1),
                new InetSocketAddress("127.0.0.1", 2)),
            inlet,
            new To(onward),
            PartSettings.usual(PumpMode.COPY, 1 << 20, CongestionControls.of(Transport.NIO, null)),
            ledger,
            new StreamWatch(inlet.eventLoop()),
            Path.of("not-used"),
            log::ended,
            0);
    log.opened(stream);
    stream.begin(Unpooled.wrappedBuffer(new byte[CARRIED_BYTES]));
    inlet.runPendingTasks();
    onward.runPendingTasks();
    return stream;
  }

  private static void end(RelayStream stream) {
    stream.abort(ABORTED);
    ((EmbeddedChannel) stream.inlet()).runPendingTasks();
  }

  /** Runs a task as an event loop would that has others to serve. */
  private static void within(Runnable task)
      throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture.runAsync(task, ANOTHER).get(10, TimeUnit.SECONDS);
  }

  /** Answers what a connection has counted: the test at once, others when they may know. */
  private static final class Kernel {
    static final Kernel QUICK = new Kernel();

    static {
      QUICK.answers();
    }

    private final Thread test = Thread.currentThread();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);

    void asked() throws InterruptedException {
      assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
    }

    void answers() {
      answers.countDown();
    }

    TcpInfo tcpInfo() {
      if (!Thread.currentThread().equals(test)) {
        asked.countDown();
        try {
          assertThat(answers.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      Duration none = Duration.ZERO;
      return new TcpInfo(
          1, 0, 0, 0, none, none, none, none, 10, SENT_SEGMENTS, 0, 0, 0, none, none, none, 0);
    }
  }

  private static final class CountedConnection extends EmbeddedConnection {
    private final Kernel kernel;

    CountedConnection(Kernel kernel) {
      this.kernel = kernel;
      config().setAutoRead(false);
    }

    @Override
    public TcpInfo tcpInfo() {
      return kernel.tcpInfo();
    }
  }

  private record To(CountedConnection onward) implements Outlet {
    @Override
    public void open(
        StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream) {
      stream.confirmed(onward, Unpooled.EMPTY_BUFFER);
    }

    @Override
    public String target() {
      return "a test";
    }

    @Override
    public void close() {}
  }
}
