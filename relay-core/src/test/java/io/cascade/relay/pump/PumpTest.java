package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One direction between two connections without a network. */
class PumpTest {
  private final List<String> told = new ArrayList<>();
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final EmbeddedConnection source = new EmbeddedConnection();
  private final EmbeddedConnection sink = new EmbeddedConnection();
  private Pump pump;

  @BeforeEach
  void open() {
    LeakWatch.start();
    pump =
        new Pump(
            Direction.FORWARD,
            source,
            budget.newLedger(),
            256 << 10,
            new StartGate.Open(),
            PumpMode.AUTO,
            Path.of("not-used"),
            new Told());
    pump.start();
  }

  @AfterEach
  void nothingIsHeld() {
    pump.discard();
    sink.takeWritten();
    assertThat(budget.heldBytes()).isZero();
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void bytesWaitForASinkAndLeaveAtOnceFromThenOn() {
    arrive(100);
    assertThat(pump.hasKept()).isTrue();

    pump.sinkReady(sink, true);
    assertThat(sink.takeWritten()).isEqualTo(100);
    assertThat(pump.hasKept()).isFalse();
    arrive(50);
    assertThat(sink.takeWritten()).isEqualTo(50);
    assertThat(pump.account().bytesOut()).isEqualTo(150);
    assertThat(told).containsExactly("first byte");
  }

  @Test
  void whatWasOfferedGoesToTheNextSinkAsWellAndIsCountedOnce() {
    EmbeddedConnection lost = new EmbeddedConnection();
    arrive(100);
    pump.sinkReady(lost, false);
    arrive(50);
    assertThat(lost.takeWritten()).isEqualTo(150);
    assertThat(budget.heldBytes()).isPositive();

    pump.sinkLost();
    arrive(7);
    pump.sinkReady(sink, false);
    assertThat(sink.takeWritten()).isEqualTo(157);
    pump.sinkConfirmed();

    assertThat(budget.heldBytes()).isZero();
    assertThat(pump.account().bytesOut()).isEqualTo(157);
  }

  @Test
  void theEndIsPassedOnOnceTheStreamIsConfirmedAndAllIsWritten() {
    arrive(100);
    pump.sourceEnded();
    pump.sinkReady(sink, false);
    assertThat(sink.isOutputShutdown()).isFalse();

    pump.sinkConfirmed();

    assertThat(sink.isOutputShutdown()).isTrue();
    assertThat(pump.isFinished()).isTrue();
    assertThat(told).containsExactly("first byte", "finished");
    assertThat(sink.takeWritten()).isEqualTo(100);
  }

  @Test
  void afterABreakWhatCameIsHandedOnWithoutAnEnd() {
    HeldWrites held = new HeldWrites();
    sink.pipeline().addLast(held);
    pump.sinkReady(sink, true);
    arrive(100);
    pump.drain(() -> told.add("drained"));
    assertThat(told).isEmpty();
    arrive(50); // of a read that was under way

    held.letGo(sink);

    assertThat(told).containsExactly("first byte", "drained");
    assertThat(sink.takeWritten()).isEqualTo(100);
    assertThat(sink.isOutputShutdown()).isFalse();
    assertThat(pump.hasSourceEnded()).isTrue();
  }

  @Test
  void whatBreaksWithoutASinkIsGivenUp() {
    arrive(100);

    pump.drain(() -> told.add("drained"));

    assertThat(told).containsExactly("drained");
    assertThat(budget.heldBytes()).isZero();
    pump.sinkReady(sink, true);
    assertThat(sink.takeWritten()).isZero();
  }

  @Test
  void aSinkThatFailsIsToldOfOnceAndNotAfterTheDirectionWasGivenUp() {
    pump.sinkReady(sink, true);
    sink.close();
    arrive(100);
    assertThat(told).containsExactly("sink failed");

    pump.discard();
    arrive(100);
    assertThat(told).containsExactly("sink failed");
  }

  private void arrive(int bytes) {
    ByteBuf read = source.alloc().directBuffer(Math.max(2_048, bytes));
    read.writeZero(bytes);
    pump.received(read);
    pump.readComplete();
  }

  /** A kernel that takes nothing for a while. */
  private static final class HeldWrites extends ChannelOutboundHandlerAdapter {
    private boolean letsGo;

    @Override
    public void flush(ChannelHandlerContext flushed) {
      if (letsGo) {
        flushed.flush();
      }
    }

    void letGo(EmbeddedConnection connection) {
      letsGo = true;
      connection.flush();
    }
  }

  private final class Told implements PumpOwner {
    @Override
    public void finished(Pump finished) {
      told.add("finished");
    }

    @Override
    public void sinkFailed(Pump failed, Throwable cause) {
      told.add("sink failed");
    }

    @Override
    public void pumpFailed(Pump failed, Throwable cause) {
      told.add("pump failed");
    }

    @Override
    public void sourceFailed(Pump failed, Throwable cause) {
      told.add("source failed");
    }

    @Override
    public void firstByte(Pump first) {
      told.add("first byte");
    }
  }
}
