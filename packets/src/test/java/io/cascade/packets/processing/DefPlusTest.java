package io.cascade.packets.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.TestPipes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments of 1,000 octets; even ones go by pipe 0 (40 ms), odd ones by pipe 1 (200 ms). */
class DefPlusTest {
  private static final long MILLI = 1_000_000L;
  private static final int SIZE = 1_000;

  private final DefPlus def = new DefPlus(TestPipes.set(40, 200));
  private int first;
  private long now;

  @ParameterizedTest
  @ValueSource(ints = {0, -2_500})
  void hidesWhatIsOnlyReordered(int start) {
    first = start;
    sendsUpTo(6);
    now = 40 * MILLI;

    assertThat(answers(1)).isEqualTo(new Operation.DeliverNear());
    assertThat(answers(1, 2, 3)).isEqualTo(new Operation.Drop());
    assertThat(answers(1, 4, 5, 2, 3)).isEqualTo(new Operation.Drop());
    now = 200 * MILLI;
    // Segment 1 has come. Segment 3 may still come: what is behind it is not said.
    assertThat(told(answers(3, 4, 5))).isEmpty();
    assertThat(def.counts().filteredAcks()).isEqualTo(2);
  }

  /** Segment 2 is lost: its own pipe has delivered segment 4, which was sent later. */
  @Test
  void saysWhatIsBehindALossOnceTheGapsBeforeItAreFilled() {
    sendsUpTo(8);
    now = 40 * MILLI;
    answers(1);
    assertThat(answers(1, 4, 5)).isEqualTo(new Operation.Drop());
    assertThat(answers(1, 6, 7, 4, 5)).isEqualTo(new Operation.Drop());

    now = 200 * MILLI;
    assertThat(told(answers(2, 6, 7, 4, 5))).isEmpty();
    now = 208 * MILLI;
    // Segment 3 has come too. What dropped acknowledgments said of segment 4 is said again.
    assertThat(told(answers(2, 3, 5, 6, 7))).containsExactly(block(3, 5));
    // Segment 5 has come; nothing is missing before the end but segment 2.
    now = 216 * MILLI;
    assertThat(told(answers(2, 3, 7))).containsExactly(block(3, 7));
  }

  /** Otherwise the sender would hear nothing while what it repeated is on its way. */
  @Test
  void whatIsBehindALossStaysVisibleWhileItIsRepeated() {
    sendsUpTo(8);
    now = 40 * MILLI;
    answers(1);
    now = 216 * MILLI;
    assertThat(told(answers(2, 3, 7))).containsExactly(block(3, 7));

    assertThat(send(2)).isZero();
    now = 224 * MILLI;
    assertThat(told(answers(2, 3, 8))).containsExactly(block(3, 8));
  }

  @Test
  void whatTakesLongerThanItsPipeEverTakesIsLost() {
    sendsUpTo(3);
    now = 40 * MILLI;
    answers(1);
    assertThat(answers(1, 2, 3)).isEqualTo(new Operation.Drop());

    // Pipe 1 has 200 ms and a queue of 75,000 bytes, which take 389 ms, and 20 ms more.
    now = def.nextNanos();
    assertThat(now).isBetween(608 * MILLI, 610 * MILLI);
    assertThat(released()).containsExactly(List.of(block(2, 3)));
    assertThat(released()).as("it is said once").isEmpty();
    assertThat(def.nextNanos()).isEqualTo(DataAckProcessor.NEVER);
    send(3);
    assertThat(told(answers(1, 2, 4))).as("and stays said").containsExactly(block(2, 4));
  }

  /** After a pause of the process, acknowledgments that say more wait unread. */
  @Test
  void timeAloneLosesNothingWhileSomethingMayBeUnread() {
    sendsUpTo(3);
    now = 2_000 * MILLI;

    assertThat(answers(1)).isEqualTo(new Operation.DeliverNear());
    assertThat(answers(1, 2, 3)).isEqualTo(new Operation.Drop());
    assertThat(answers(3)).isEqualTo(new Operation.DeliverNear());
  }

  /** A probe of one octet beyond a closed window is answered by the same number, without blocks. */
  @Test
  void anAnswerToAWindowProbePasses() {
    sendsUpTo(4);
    now = 40 * MILLI;
    answers(1, 2, 3);
    answers(4);
    sends(number(4), 1);

    assertThat(answers(4)).isEqualTo(new Operation.DeliverNear());
    assertThat(answers(4)).isEqualTo(new Operation.DeliverNear());
  }

  @Test
  void repetitionsGoByTheQuickestPipeAndTheOthersStayInUse() {
    sendsUpTo(4);
    now = 40 * MILLI;
    answers(1, 2, 3);

    assertThat(send(1)).isZero();
    assertThat(List.of(send(4), send(5), send(6), send(7))).containsExactly(0, 1, 0, 1);
  }

  /** Packets vanish behind pipe 1. Its round trip is not known to be above 200 ms + 389 ms. */
  @Test
  void aPipeThatDeliversNothingIsLeftOutAndTriedOnceASecond() {
    sendsUpTo(8);
    now = 40 * MILLI;
    answers(1);
    answers(1, 2, 3);
    assertThat(List.of(send(8), send(9))).containsExactly(0, 1);
    now = 80 * MILLI;
    answers(1, 8, 9, 6, 7, 4, 5, 2, 3);

    now = 620 * MILLI;
    assertThat(List.of(send(10), send(11), send(12))).containsExactly(0, 0, 0);
    assertThat(send(1)).as("repeated").isZero();
    now = 660 * MILLI;
    answers(1, 10, 13, 8, 9); // What has been sent by pipe 0 goes on arriving.
    now = 1_040 * MILLI;
    assertThat(List.of(send(13), send(14), send(15), send(16)))
        .filteredOn(pipe -> pipe == 1)
        .hasSize(1);
    now = 1_240 * MILLI;
    answers(1, 13, 17); // The packet that tried it came.
    assertThat(List.of(send(17), send(18), send(19), send(20)))
        .filteredOn(pipe -> pipe == 1)
        .hasSize(2);
  }

  @Test
  void whatArrivedTwiceIsSaid() {
    sendsUpTo(3);
    now = 300 * MILLI;
    answers(1, 2, 3);
    answers(3);

    assertThat(told(answers(3, 1, 2))).containsExactly(block(1, 2));
  }

  /** A closed window is probed with one octet, which is sent again with what follows it. */
  @Test
  void neverSaysOfWhatFollowedAWindowProbeThatItArrivedWhereItDidNot() {
    sendsUpTo(2);
    answers(1);
    sends(number(2), 1);
    sends(number(2), SIZE);
    send(3);
    send(4);
    now = 2_000 * MILLI;
    assertThat(released()).isEmpty();

    SackBlock probe = new SackBlock(number(2), number(2) + 1);
    TestPacket form = TestPacket.inbound().acknowledgment(number(1));
    form.sack(probe.start(), probe.end(), number(3), number(5));
    assertThat(told(arrives(form))).containsExactly(block(3, 5), probe);
    assertThat(told(answers(1, 2, 5))).containsExactly(block(2, 5));
  }

  @Test
  void moreOutstandingThanIsRecordedSpoilsNoLaterWindow() {
    int end = Scoreboard.MOST_SEGMENTS + 4;
    sendsUpTo(end);
    now = 40 * MILLI;
    answers(1, 2, 3);
    answers(end);

    send(end);
    send(end + 1);
    send(end + 2);
    answers(end + 1, end + 2, end + 3);
    assertThat(send(end + 1)).as("by the quickest pipe").isZero();
    assertThat(List.of(send(end + 3), send(end + 4)))
        .as("in turn again")
        .containsExactlyInAnyOrder(0, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void withoutSackItDoesAsDefDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Def twin = new Def(TestPipes.set(40, 200));
    int acknowledged = 0;
    int sent = 0;
    for (int i = 0; i < 5_000; i++) {
      // Now and then a second without an event, so that pipes seem silent and are tried.
      now += random.nextInt(500) == 0 ? 1_000 * MILLI : random.nextLong(20 * MILLI);
      boolean isFull = sent - acknowledged == 100;
      if (sent == 0 || (random.nextInt(3) > 0 && !isFull)) {
        boolean again = sent > acknowledged && random.nextInt(20) == 0;
        int segment = again ? random.nextInt(acknowledged, sent) : sent++;
        TestPacket form = TestPacket.outbound().sequence(number(segment)).payload(SIZE);
        assertThat(def.outbound(form.packet(), now)).isEqualTo(twin.outbound(form.packet(), now));
      } else {
        boolean isDuplicate = random.nextInt(3) == 0 && !isFull;
        acknowledged = isDuplicate ? acknowledged : random.nextInt(acknowledged, sent + 1);
        TestPacket form = TestPacket.inbound().acknowledgment(number(acknowledged));
        assertThat(arrives(form)).isEqualTo(twin.inbound(form.packet(), new PipeId(0), now));
      }
    }
    assertThat(def.counts().filteredAcks()).isEqualTo(twin.counts().filteredAcks()).isPositive();
  }

  private void sendsUpTo(int end) {
    for (int segment = 0; segment < end; segment++) {
      assertThat(send(segment)).isEqualTo(segment % 2);
    }
  }

  private int send(int segment) {
    return sends(number(segment), SIZE);
  }

  private int sends(int sequence, int octets) {
    TestPacket form = TestPacket.outbound().sequence(sequence).payload(octets);
    return ((Operation.Deliver) def.outbound(form.packet(), now)).pipe().number();
  }

  /**
   * @param blocks begin and end of each, in segments
   */
  private Operation answers(int segment, int... blocks) {
    TestPacket form = TestPacket.inbound().acknowledgment(number(segment));
    if (blocks.length > 0) {
      int[] edges = new int[blocks.length];
      for (int i = 0; i < edges.length; i++) {
        edges[i] = number(blocks[i]);
      }
      form.sack(edges);
    }
    return arrives(form);
  }

  private Operation arrives(TestPacket form) {
    return def.inbound(form.packet(), new PipeId(0), now);
  }

  /** The blocks of what it says by itself. */
  private List<List<SackBlock>> released() {
    List<List<SackBlock>> said = new ArrayList<>();
    def.release(now, packet -> said.add(packet.options().sackBlocks()));
    return said;
  }

  private List<SackBlock> told(Operation operation) {
    return ((Operation.DeliverInstead) operation).packet().options().sackBlocks();
  }

  private SackBlock block(int start, int end) {
    return new SackBlock(number(start), number(end));
  }

  private int number(int segment) {
    return first + segment * SIZE;
  }
}
