package io.cascade.packets.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.Sequence;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.TestPipes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments of 100 octets, numbered from 0. Pipe 0 takes 40 ms, pipe 1 takes 200 ms. */
class CombinerTest {
  private static final long MILLI = 1_000_000L;
  private static final int SIZE = 100;

  private final Pipes pipes = TestPipes.of(40, 200);
  private final HeldBudget budget = new HeldBudget(10_000);
  private final Combiner combiner = new Combiner(TestPipes.set(pipes), budget);
  private final List<Integer> delivered = new ArrayList<>();
  private int first;
  private long now;

  @Test
  void whatIsInOrderIsNotHeld() {
    comes(0, 0);
    comes(1, 0);
    comes(2, 1);

    assertThat(delivered).containsExactly(0, 1, 2);
    assertThat(combiner.nextNanos()).isEqualTo(DataAckProcessor.NEVER);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -150, Integer.MAX_VALUE - 150})
  void putsInOrderAcrossTheWrapToo(int start) {
    first = start;
    comes(0, 0);
    comes(2, 0);
    comes(4, 0);
    assertThat(delivered).containsExactly(0);
    comes(1, 1);
    assertThat(delivered).containsExactly(0, 1, 2);
    comes(3, 1);
    assertThat(delivered).containsExactly(0, 1, 2, 3, 4);
    assertThat(combiner.counts()).isEqualTo(ProcessorCounts.NONE);
    assertThat(budget.held()).isZero();
  }

  @Test
  void givesAGapUpOnceEveryPipeHasDeliveredSomethingBehindIt() {
    comes(0, 0);
    comes(2, 0);
    assertThat(delivered).containsExactly(0);
    comes(3, 1);

    assertThat(delivered).containsExactly(0, 2, 3);
    assertThat(combiner.counts().gapsByComparison()).isEqualTo(1);
  }

  /** Pipe 1 has not come so far: what is missing at 3 may be on its way there. */
  @Test
  void judgesEachGapByItself() {
    comes(0, 0);
    comes(4, 0);
    comes(2, 1);

    assertThat(delivered).containsExactly(0, 2);
    assertThat(combiner.counts().gapsByComparison()).isEqualTo(1);
    comes(3, 1);
    assertThat(delivered).containsExactly(0, 2, 3, 4);
  }

  @Test
  void aPipeOutOfUseIsNotWaitedFor() {
    pipes.become(new PipeId(1), false);
    comes(0, 0);
    comes(2, 0);

    assertThat(delivered).containsExactly(0, 2);
  }

  /** The other end has not withdrawn it, and goes on splitting over both. */
  @Test
  void aPipeThatIsWithdrawnHereIsWaitedForWhileItStillBrings() {
    comes(0, 0);
    comes(1, 1);
    pipes.employ(new PipeId(1), false);

    comes(3, 0);
    assertThat(delivered).containsExactly(0, 1);
    comes(2, 1);
    assertThat(delivered).containsExactly(0, 1, 2, 3);
    assertThat(combiner.counts()).isEqualTo(ProcessorCounts.NONE);

    now += 151 * MILLI;
    comes(5, 0);
    assertThat(delivered).as("it brings nothing any longer").endsWith(5);
  }

  /** After a pause of the process: what is missing may wait in another pipe's socket. */
  @Test
  void timeAloneGivesNothingUpWhileSomethingMayBeUnread() {
    comes(0, 0);
    comes(2, 0);
    now = 600 * MILLI;

    assertThat(inbound(segment(3), 0)).isEqualTo(new Operation.Delay());
    releaseBy(100 * MILLI);
    assertThat(delivered).containsExactly(0);
    comes(1, 1);
    assertThat(delivered).containsExactly(0, 1, 2, 3);
    assertThat(combiner.counts()).isEqualTo(ProcessorCounts.NONE);
  }

  @Test
  void aSilentPipeIsWaitedForByTheDifferenceOfDelays() {
    comes(0, 0);
    comes(2, 0);

    assertThat(combiner.nextNanos()).isEqualTo(180 * MILLI);
    now = 180 * MILLI - 1;
    release();
    assertThat(delivered).containsExactly(0);
    now++;
    release();
    assertThat(delivered).containsExactly(0, 2);
    assertThat(combiner.counts().gapsByTimer()).isEqualTo(1);
    assertThat(combiner.nextNanos()).isEqualTo(DataAckProcessor.NEVER);
  }

  @Test
  void whatComesAgainPassesAtOnce() {
    comes(0, 0);
    comes(2, 0);
    comes(3, 1);

    comes(1, 0);
    comes(0, 0);
    assertThat(delivered).containsExactly(0, 2, 3, 1, 0);
    comes(4, 0);
    assertThat(delivered).endsWith(4);
  }

  @Test
  void theSecondCopyOfWhatIsHeldIsDropped() {
    comes(0, 0);
    comes(2, 0);
    comes(2, 0);
    comes(1, 1);

    assertThat(delivered).containsExactly(0, 1, 2);
    assertThat(budget.held()).isZero();
  }

  @Test
  void acknowledgmentsAndResetsPassAtOnceAndAFinWaitsForItsTurn() {
    comes(0, 0);
    Operation ack = inbound(TestPacket.inbound().sequence(500), 0);
    Operation fin = inbound(TestPacket.inbound().sequence(200).flags(17), 0);
    Operation reset = inbound(TestPacket.inbound().sequence(200).flags(4), 0);

    assertThat(List.of(ack, reset)).containsOnly(new Operation.DeliverNear());
    assertThat(fin).isEqualTo(new Operation.Delay());
    comes(1, 1);
    assertThat(delivered).containsExactly(0, 1, 2);
  }

  @Test
  void aFullBudgetGivesUpWhatIsHeldInOrder() {
    comes(0, 0);
    for (int segment = 2; segment < 80; segment++) {
      comes(segment, 0);
    }

    assertThat(combiner.counts().gapsByMemory()).isEqualTo(1);
    assertThat(delivered).isSorted().startsWith(0, 2, 3).hasSizeBetween(60, 79);
    assertThat(budget.held()).isLessThanOrEqualTo(10_000);
  }

  @Test
  void dataThatCameWithTheSynIsNotWaitedFor() {
    inbound(TestPacket.inbound().sequence(-11).flags(TestPacket.SYN).payload(10), 0);

    comes(0, 0);
    assertThat(delivered).containsExactly(0);
  }

  @Test
  void knowsTheFirstOctetFromTheSyn() {
    inbound(TestPacket.inbound().sequence(-1).flags(TestPacket.SYN | TestPacket.ACK), 0);

    comes(1, 0);
    assertThat(delivered).isEmpty();
    comes(0, 1);
    assertThat(delivered).containsExactly(0, 1);
  }

  @Test
  void whatIsAheadOfAnyWindowPassesAndChangesNothing() {
    int farAhead = (16 << 20) / SIZE + 10;
    comes(0, 0);
    comes(farAhead, 0);
    comes(farAhead, 1);
    assertThat(delivered).containsExactly(0, farAhead, farAhead);

    comes(2, 0);
    comes(1, 1);
    assertThat(delivered).endsWith(1, 2);
    assertThat(combiner.counts()).isEqualTo(ProcessorCounts.NONE);
  }

  /**
   * Two pipes that keep their order and lose at random: all that arrives comes out once, and late.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void losesNothingAndMakesNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HeldBudget large = new HeldBudget(1 << 20);
    Combiner fresh = new Combiner(TestPipes.set(pipes), large);
    fresh.start(-150_000);
    List<List<Integer>> under = List.of(new ArrayList<>(), new ArrayList<>());
    List<Integer> sent = new ArrayList<>();
    for (int segment = 0; segment < 3_000; segment++) {
      if (random.nextInt(20) > 0) {
        under.get(random.nextInt(2)).add(segment);
        sent.add(segment);
      }
    }
    List<Integer> got = new ArrayList<>();
    int[] next = new int[2];
    while (next[0] < under.get(0).size() || next[1] < under.get(1).size()) {
      int pipe = random.nextInt(2);
      if (next[pipe] == under.get(pipe).size()) {
        pipe = 1 - pipe;
      }
      int segment = under.get(pipe).get(next[pipe]++);
      now += MILLI;
      TestPacket form = TestPacket.inbound().sequence(segment * SIZE - 150_000).payload(SIZE);
      if (fresh.inbound(form.packet(), new PipeId(pipe), now) instanceof Operation.DeliverNear) {
        got.add(segment);
      }
      fresh.release(now, packet -> got.add((packet.sequence() + 150_000) / SIZE));
    }
    fresh.flush(packet -> got.add((packet.sequence() + 150_000) / SIZE));

    assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
    assertThat(large.held()).isZero();
    if (fresh.counts().gapsByTimer() == 0) {
      assertThat(got).isSorted();
    }
  }

  private void comes(int segment, int pipe) {
    if (inbound(segment(segment), pipe) instanceof Operation.DeliverNear) {
      delivered.add(segment);
    }
    release();
  }

  private TestPacket segment(int number) {
    return TestPacket.inbound().sequence(first + number * SIZE).payload(SIZE);
  }

  private Operation inbound(TestPacket form, int pipe) {
    return combiner.inbound(form.packet(), new PipeId(pipe), now);
  }

  private void release() {
    releaseBy(now);
  }

  private void releaseBy(long nanos) {
    combiner.release(
        nanos,
        packet -> {
          assertThat(Sequence.before(packet.sequence(), first + 1_000_000)).isTrue();
          delivered.add((packet.sequence() - first) / SIZE);
        });
  }
}
