package io.cascade.relay.junction;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.Reason;
import io.cascade.segments.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The junction where pipes begin, and a far junction that refuses them. */
class NearJunctionTest {
  private static final InetSocketAddress SOMEWHERE = new InetSocketAddress("127.0.0.1", 1);

  private final SegmentCounters counters = new SegmentCounters();
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final EmbeddedConnection loop = new EmbeddedConnection();
  private final List<Way> ways = new ArrayList<>();
  private Runnable changed = () -> {};

  @Test
  void whereEveryPipeIsRefusedBeforeOneWasTakenTheStreamIsResetForThatReason() {
    begin(2);
    ways.get(0).refuse(Reason.CAPACITY);
    assertThat(ways.get(1).dialled()).as("at once, not after the time alone").isEqualTo(1);
    assertThat(counters.resetStreams()).isEmpty();
    ways.get(1).refuse(Reason.VERSION);
    assertThat(counters.resetStreams()).isEqualTo(Map.of("version", 1L));
  }

  @Test
  void aPipeThatIsTakenCarriesTheStreamWhoeverElseIsRefused() {
    begin(2);
    ways.get(0).refuse(Reason.CAPACITY);
    ways.get(1).accept();
    assertThat(counters.resetStreams()).isEmpty();
  }

  @Test
  void afterTheFirstAcceptanceARefusalIsWaitedOut() {
    begin(1);
    ways.getFirst().accept();
    ways.getFirst().cut();
    loop.advanceTimeBy(1, TimeUnit.SECONDS);
    loop.runPendingTasks();
    assertThat(ways.getFirst().dialled()).isEqualTo(2);
    ways.getFirst().refuse(Reason.CAPACITY);
    assertThat(counters.resetStreams()).isEmpty();
  }

  /** The pipe's relay has started again, and the part here was installed anew. */
  @Test
  void aPauseEndsWhereThePipeLeadsElsewhereNow() {
    begin(2);
    ways.forEach(Way::accept);
    loop.advanceTimeBy(1, TimeUnit.SECONDS);
    loop.runPendingTasks();
    Way dead = ways.get(1);
    dead.accept();
    dead.stopsAnswering();
    dead.cut();
    for (int i = 0; i < 10; i++) {
      loop.advanceTimeBy(5, TimeUnit.SECONDS);
      loop.runPendingTasks();
    }
    int before = dead.dialled();
    assertThat(before).isGreaterThan(2);

    Way again = new Way(1);
    ways.set(1, again);
    changed.run();
    loop.runPendingTasks();
    assertThat(again.dialled()).as("without waiting for the pause to end").isEqualTo(1);
    assertThat(dead.dialled()).isEqualTo(before);
  }

  private void begin(int pipes) {
    IntStream.range(0, pipes).forEach(index -> ways.add(new Way(index)));
    StreamStart start = new StreamStart(new UUID(1, 2), SOMEWHERE, SOMEWHERE, false);
    ConnectionSettings either =
        new ConnectionSettings(SocketTuning.defaults(), Duration.ofSeconds(30));
    StreamSettings settings =
        new StreamSettings(
            1 << 20,
            new StartGate.Open(),
            PumpMode.COPY,
            either,
            either,
            Duration.ofSeconds(10),
            Duration.ZERO,
            Duration.ZERO);
    new NearJunction(
            start,
            settings,
            new Ways(),
            new PipeHistory(pipes, System::nanoTime),
            true,
            counters,
            new Client(),
            observer ->
                new JunctionResources(_ -> budget.newLedger(), System::nanoTime, counters)
                    .junction(
                        loop.eventLoop(),
                        JunctionSettings.holding(
                            1 << 20, JunctionSettings.PATIENCE, Scheduler.EARLIEST),
                        start,
                        observer))
        .begin();
  }

  private final class Ways implements PipeSource {
    @Override
    public int count() {
      return ways.size();
    }

    @Override
    public PipeSource.Way at(int index) {
      return new PipeSource.Way(
          ways.get(index), new PipeAccount(new HopAddress(1, index, 0)), false);
    }

    @Override
    public void watch(Runnable watcher) {
      changed = watcher;
    }

    @Override
    public void unwatch(Runnable changed) {}
  }

  /** The way of one pipe: connections without a network, whose far end the test plays. */
  private static final class Way implements Outlet {
    private final int index;
    private final List<EmbeddedConnection> connections = new ArrayList<>();
    private boolean isDead;

    Way(int index) {
      this.index = index;
    }

    int dialled() {
      return connections.size();
    }

    void stopsAnswering() {
      isDead = true;
    }

    @Override
    public void open(
        StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream) {
      EmbeddedConnection connection = new EmbeddedConnection();
      connections.add(connection);
      if (isDead) {
        stream.failed(new CloseReason.NotConfirmed("nobody answers"));
        return;
      }
      stream.offered(connection, true);
      stream.confirmed(connection, Unpooled.EMPTY_BUFFER);
    }

    void refuse(Reason reason) {
      say(new Frame.Refusal(reason, ""));
    }

    void accept() {
      say(new Frame.Acknowledgement(0, 1 << 16, 0));
    }

    void cut() {
      connections.getLast().takeWritten();
      connections.getLast().close();
    }

    private void say(Frame frame) {
      connections.getLast().takeWritten();
      connections.getLast().writeInbound(Unpooled.wrappedBuffer(FrameCodec.head(frame)));
    }

    @Override
    public String target() {
      return "pipe " + index;
    }

    @Override
    public void close() {}
  }

  /** The stream that is split; takes whatever becomes of it. */
  private static final class Client implements Outlet.ServedStream {
    @Override
    public void offered(Channel onward, boolean warm) {}

    @Override
    public void confirmed(Channel onward, ByteBuf early) {
      early.release();
    }

    @Override
    public void lost(Channel onward) {}

    @Override
    public void failed(CloseReason reason) {}

    @Override
    public boolean waiting() {
      return true;
    }

    @Override
    public boolean speaks() {
      return true;
    }
  }
}
