package io.cascade.relay.junction;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.carriage.junction.Junction;
import io.cascade.carriage.junction.JunctionConnection;
import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.stream.PipedConnection;
import io.cascade.relay.stream.StreamStart;
import io.cascade.segments.Reason;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two junctions and pipes between them without a network, and a clock that the test turns. */
class JunctionTest {
  private static final int WINDOW = 256 << 10;
  private static final long SECOND = 1_000_000_000;

  private long now = 1;
  private final SegmentCounters counters = new SegmentCounters();
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final End near = new End();
  private final End far = new End();
  private final List<Wire> wires = new ArrayList<>();

  @AfterEach
  void nothingIsHeld() {
    near.junction.reset(Reason.SHUTDOWN, "");
    far.junction.reset(Reason.SHUTDOWN, "");
    wires.forEach(Wire::cut);
    assertThat(budget.heldBytes()).isZero();
    assertThat(near.over && far.over).isTrue();
  }

  @Test
  void whatIsWrittenAtOneEndIsReadAtTheOther() {
    join(0);
    join(1);
    near.write(100_000);
    carry();
    assertThat(far.read).isEqualTo(100_000);
    far.write(5);
    carry();
    assertThat(near.read).isEqualTo(5);
  }

  @Test
  void aPipeThatMayRespondToItsLossesIsLookedAtWhileItWrites() {
    join(0);
    near.write(100_000);
    far.write(100_000);
    carry();
    assertThat(wires.getFirst().atNear.looks).isPositive();
    assertThat(wires.getFirst().atFar.looks).as("one whose control was chosen").isZero();
  }

  @Test
  void anEndIsPassedOnAndConfirmedOnceThePeerHasEverything() {
    join(0);
    near.write(10);
    var ending = near.connection.shutdownOutput();
    assertThat(ending.isDone()).isFalse();
    carry();
    assertThat(ending.isSuccess()).isTrue();
    assertThat(far.ended).isTrue();
    assertThat(far.failure).isNull();
    assertThat(far.connection.isOutputShutdown()).isFalse();
  }

  @Test
  void aReaderThatReadsNothingStopsTheWriterAndMemoryStaysBounded() {
    join(0);
    far.reads = false;
    int written = 0;
    for (int i = 0; i < 40; i++) {
      near.write(WINDOW / 4);
      written += WINDOW / 4;
      carry();
    }
    assertThat(far.read).as("what was asked for before").isLessThan(WINDOW / 4);
    assertThat(near.unwritten()).isGreaterThan(0);
    assertThat(budget.heldBytes()).isLessThanOrEqualTo(2 * (WINDOW + 2 * (64 << 10)));
    far.reads = true;
    far.connection.read();
    carry();
    assertThat(far.read).isEqualTo(written);
    assertThat(near.unwritten()).isZero();
  }

  @Test
  void aPipeThatBreaksTakesNothingWithIt() {
    join(0);
    join(1);
    near.write(200_000);
    wires.get(0).cut();
    carry();
    assertThat(far.read).isEqualTo(200_000);
    assertThat(near.lost + far.lost).isEqualTo(2);
  }

  @Test
  void aStreamWithoutPipesWaitsAsLongAsItMayAndIsReset() {
    join(0);
    near.write(10);
    carry();
    wires.getFirst().cut();
    pass(Duration.ofSeconds(9));
    assertThat(near.failure).isNull();
    assertThat(far.failure).isNull();
    pass(Duration.ofSeconds(2));
    assertThat(near.failure).hasMessageContaining("no pipe was left");
    assertThat(far.failure).hasMessageContaining("no pipe was left");
    assertThat(far.ended).isFalse();
  }

  @Test
  void aNewPipeInTimeCarriesOnWhereTheLastOneBroke() {
    join(0);
    near.write(10);
    wires.getFirst().cut();
    pass(Duration.ofSeconds(9));
    join(1);
    carry();
    assertThat(far.read).isEqualTo(10);
  }

  @Test
  void aConnectionThatIsClosedResetsTheOtherEndBehindWhatItWrote() {
    join(0);
    near.write(1_000);
    near.connection.close();
    carry();
    assertThat(far.read).isEqualTo(1_000);
    assertThat(far.failure).hasMessageContaining("reset");
    assertThat(far.ended).isFalse();
  }

  @Test
  void aPipesNumberCountsOnceAndSoManyPipesAtATime() {
    join(0);
    assertThat(far.junction.obstacle(0)).isEqualTo(Reason.UNEXPECTED_FRAME);
    wires.getFirst().cut();
    assertThat(far.junction.obstacle(0)).as("as well later").isEqualTo(Reason.UNEXPECTED_FRAME);
    for (int i = 1; i <= Junction.MOST_PIPES; i++) {
      join(i);
    }
    assertThat(far.junction.obstacle(100)).isEqualTo(Reason.CAPACITY);
    assertThat(far.junction.obstacle(-1)).isEqualTo(Reason.CAPACITY);
  }

  @Test
  void whatIsNoFrameResetsTheStreamAtBothEnds() {
    join(0);
    carry();
    wires.getFirst().atFar.writeInbound(Unpooled.wrappedBuffer(new byte[] {99, 0, 0, 0}));
    carry();
    assertThat(far.failure).hasMessageContaining("malformed");
    assertThat(near.failure).hasMessageContaining("malformed");
    assertThat(counters.resetStreams()).as("at both ends").containsEntry("malformed", 2L);
  }

  @Test
  void eachPipeIsCountedByItsHop() {
    join(0);
    join(1);
    near.write(300_000);
    carry();
    assertThat(near.pipeTotals()).hasSize(2);
    assertThat(near.pipeTotals().stream().mapToLong(pipe -> pipe.sentBytes()).sum())
        .isGreaterThan(300_000);
    assertThat(far.pipeTotals().stream().mapToLong(pipe -> pipe.receivedBytes()).sum())
        .isEqualTo(near.pipeTotals().stream().mapToLong(pipe -> pipe.sentBytes()).sum());
  }

  @Test
  void whatIsMeasuredOfAPipeIsShownAndGoesWithIt() {
    join(0);
    near.write(300_000);
    pass(Duration.ofSeconds(1));
    assertThat(near.pipeTotals())
        .singleElement()
        .satisfies(pipe -> {
          assertThat(pipe.bitsPerSecond()).isPositive();
          assertThat(pipe.roundTripMillis()).isPositive();
          assertThat(pipe.queuedBytes()).isZero();
        });
    assertThat(far.pipeTotals())
        .as("sends nothing")
        .allSatisfy(pipe -> assertThat(pipe.bitsPerSecond()).isNull());
    wires.getFirst().cut();
    assertThat(near.pipeTotals())
        .singleElement()
        .satisfies(pipe -> {
          assertThat(pipe.bitsPerSecond()).isNull();
          assertThat(pipe.roundTripMillis()).isNull();
          assertThat(pipe.queuedBytes()).isNull();
        });
  }

  private void join(int number) {
    Wire wire = new Wire(number);
    wires.add(wire);
    near.junction.join(wire.near);
    far.junction.join(wire.far);
    wire.near.attach(Unpooled.EMPTY_BUFFER);
    wire.far.attach(Unpooled.EMPTY_BUFFER);
  }

  /** Moves what is on the wires until nothing moves any more. */
  private void carry() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Wire wire : List.copyOf(wires)) {
        moved |= wire.carry();
      }
    }
  }

  private void pass(Duration time) {
    for (long i = 0; i < 10 * time.toSeconds(); i++) {
      now += SECOND / 10;
      near.junction.carryOn();
      far.junction.carryOn();
      carry();
    }
  }

  /** A connection that counts how often somebody looks at its counters, of which it has none. */
  private static final class Looked extends EmbeddedConnection {
    private int looks;

    @Override
    public @Nullable TcpInfo tcpInfo() {
      looks++;
      return super.tcpInfo();
    }
  }

  /** A pipe's connection at both junctions. */
  private final class Wire {
    private final Looked atNear = new Looked();
    private final Looked atFar = new Looked();
    private final PipeEnd near;
    private final PipeEnd far;

    Wire(int number) {
      HopAddress hop = new HopAddress(1, number % 2, 0);
      near =
          new PipeEnd(
              JunctionTest.this.near.junction,
              number,
              atNear,
              StreamPipes.accounting(JunctionTest.this.near.junction, new PipeAccount(hop)),
              null,
              true);
      far =
          new PipeEnd(
              JunctionTest.this.far.junction,
              number,
              atFar,
              StreamPipes.accounting(JunctionTest.this.far.junction, new PipeAccount(hop)),
              null,
              false);
    }

    boolean carry() {
      boolean forth = move(atNear, atFar);
      boolean back = move(atFar, atNear);
      return forth || back;
    }

    private static boolean move(EmbeddedConnection from, EmbeddedConnection to) {
      boolean moved = false;
      for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
        moved = true;
        if (to.isOpen()) {
          to.writeInbound(bytes);
        } else {
          bytes.release();
        }
      }
      return moved;
    }

    void cut() {
      atNear.takeWritten();
      atFar.takeWritten();
      atNear.close();
      atFar.close();
    }
  }

  /** A junction and whoever reads and writes its connection. */
  private final class End implements Junction.Observer {
    private final Junction junction =
        new JunctionResources(_ -> budget.newLedger(), () -> now, counters)
            .junction(
                new EmbeddedConnection().eventLoop(),
                new JunctionSettings(WINDOW, WINDOW, Duration.ofSeconds(10), Scheduler.EARLIEST),
                new StreamStart(
                    new UUID(1, 2),
                    new InetSocketAddress("127.0.0.1", 1),
                    new InetSocketAddress("127.0.0.1", 2)),
                this);
    private final JunctionConnection connection = junction.connection();
    private final List<ChannelFuture> writes = new ArrayList<>();
    private boolean reads = true;
    private long read;
    private boolean ended;
    private boolean over;
    private int lost;
    private Throwable failure;

    End() {
      junction.loop().register(connection);
      connection.pipeline().addLast(new Reader());
      connection.read();
    }

    void write(int octets) {
      writes.add(connection.writeAndFlush(Unpooled.wrappedBuffer(new byte[octets])));
    }

    long unwritten() {
      return writes.stream().filter(write -> !write.isDone()).count();
    }

    @Override
    public void lost(PipeEnd pipe, String why) {
      lost++;
    }

    List<PipeTotals> pipeTotals() {
      return connection.attr(PipedConnection.PIPES).get().pipes();
    }

    @Override
    public void ended(SegmentStream stream) {
      counters.ended(stream);
    }

    @Override
    public void over() {
      over = true;
    }

    private final class Reader extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        read += ((ByteBuf) message).readableBytes();
        ((ByteBuf) message).release();
      }

      @Override
      public void channelReadComplete(ChannelHandlerContext context) {
        if (reads) {
          context.read();
        }
      }

      @Override
      public void userEventTriggered(ChannelHandlerContext context, Object event) {
        ended |= event == ChannelInputShutdownReadComplete.INSTANCE;
      }

      @Override
      public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = cause;
      }
    }
  }
}
