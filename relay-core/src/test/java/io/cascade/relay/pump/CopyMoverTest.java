package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.EmbeddedConnection;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reading and writing through buffers, with a direction that only listens. */
class CopyMoverTest {
  private final List<String> told = new ArrayList<>();
  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final Account account = new Account(budget.newLedger(), 1 << 20);
  private final EmbeddedConnection source = new CountedReads();
  private final EmbeddedConnection sink = new EmbeddedConnection();
  private final CopyMover mover = new CopyMover(source, account, new Host());
  private long room = Long.MAX_VALUE;
  private int reads;

  @AfterEach
  void nothingIsHeld() {
    mover.stop();
    sink.takeWritten();
    assertThat(account.heldBytes()).isZero();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void oneReadIsAskedForAtATime() {
    reads = 0;
    mover.readOn();
    mover.readOn();
    assertThat(reads).isOne();
    mover.readComplete();
    mover.readOn();
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void withoutRoomNothingIsReadAndItsDirectionIsTold() {
    reads = 0;
    room = Pump.LEAST_READ - 1;
    mover.readOn();
    assertThat(reads).isZero();
    assertThat(told).containsExactly("starved");
  }

  @Test
  void memoryIsFreeOnceBytesAreWrittenForGood() {
    mover.sink(sink);
    mover.write(charged(100), 100);
    assertThat(mover.isEmpty()).isFalse();
    assertThat(account.heldBytes()).isEqualTo(100);

    sink.flush();

    assertThat(mover.isEmpty()).isTrue();
    assertThat(account.heldBytes()).isZero();
    assertThat(told).containsExactly("gave 100");
  }

  @Test
  void memoryOfOfferedBytesIsFreeOnceTheyAreWrittenAndConfirmed() {
    mover.sink(sink);
    mover.offer(charged(100), 100);
    sink.flush();
    assertThat(account.heldBytes()).isEqualTo(100);
    mover.confirm();
    assertThat(account.heldBytes()).isZero();

    mover.offer(charged(50), 50);
    mover.confirm();
    assertThat(account.heldBytes()).isEqualTo(50);
    sink.flush();
    assertThat(account.heldBytes()).isZero();
  }

  @Test
  void whatALostSinkSaysOfItsWritesCountsNoMore() {
    EmbeddedConnection lost = new EmbeddedConnection();
    mover.sink(lost);
    mover.offer(charged(100), 100);
    mover.sink(null);
    lost.close();
    assertThat(told).isEmpty();

    mover.sink(sink);
    mover.writeKept();
    sink.flush();
    assertThat(told).containsExactly("gave 100");
  }

  private ByteBuf charged(int bytes) {
    account.charge(bytes);
    return source.alloc().directBuffer(bytes).writeZero(bytes);
  }

  private final class CountedReads extends EmbeddedConnection {
    @Override
    protected void doBeginRead() {
      reads++;
    }
  }

  private final class Host implements Mover.Host {
    @Override
    public long room() {
      return room;
    }

    @Override
    public void took() {
      told.add("took");
    }

    @Override
    public void gave(int bytes, boolean spliced) {
      told.add("gave " + bytes);
    }

    @Override
    public void starved() {
      told.add("starved");
    }

    @Override
    public void sourceReturned(boolean forGood) {
      told.add("source returned");
    }

    @Override
    public void over() {
      told.add("over");
    }

    @Override
    public void sourceFailed(IOException cause) {
      told.add("source failed");
    }

    @Override
    public void sinkFailed(Throwable cause) {
      told.add("sink failed");
    }
  }
}
