package io.cascade.coding.redundancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.coding.window.GapSet;
import org.junit.jupiter.api.Test;

class PoliciesTest {
  private static SendingView view(
      long next, long floor, long seen, GapSet gaps, long reported, long nextPacket, double loss) {
    return new SendingView(
        next,
        floor,
        seen,
        gaps,
        reported,
        nextPacket,
        nextPacket - 1 - reported,
        40,
        true,
        loss,
        1,
        1_000);
  }

  private static GapSet gap(long first, int length) {
    return new GapSet(new long[] {first}, new int[] {length}, 1);
  }

  @Test
  void slidingWindowSendsARepairWhereOneIsExpectedToBeMissed() {
    SendingView lacking = view(1_000, 870, 880, GapSet.EMPTY, 1_099, 1_230, 0.1);
    assertThat(SlidingDeficit.deficit(lacking, 0)).isCloseTo(3, within(1e-9));
    assertThat(new SlidingDeficit(0).choose(lacking)).isEqualTo(new Choice.Repair(false, 980, 20));
    SendingView fine = view(1_000, 870, 883, GapSet.EMPTY, 1_099, 1_230, 0.1);
    assertThat(new SlidingDeficit(0).choose(fine)).isEqualTo(Choice.SOURCE);
    // More cautious, it is not.
    assertThat(new SlidingDeficit(1).choose(fine)).isInstanceOf(Choice.Repair.class);
  }

  @Test
  void onlyFewPacketsAreATailWhereTheyComeOneByOne() {
    // Expected deficits: -2 at a caution of 0, 0.2 at 1 and 2.4 at 2.
    SendingView many = nothingWaits(100, 78, 30);
    assertThat(new SlidingDeficit(0).choose(many)).isInstanceOf(Choice.Repair.class);
    assertThat(new SlidingDeficit(0, 4).choose(many)).isEqualTo(Choice.NOTHING);
    SendingView few = nothingWaits(100, 98, 2);
    assertThat(new SlidingDeficit(0, 4).choose(few)).isInstanceOf(Choice.Repair.class);
  }

  @Test
  void whereNothingWaitsRepairsMayBeTooMany() {
    // Expected deficits: 0 at a caution of 0, 2.2 at 1.
    SendingView idle = nothingWaits(100, 76, 30);
    assertThat(new SlidingDeficit(0, 4).choose(idle)).isInstanceOf(Choice.Repair.class);
    assertThat(new SlidingDeficit(0, 4).choose(somethingWaits(idle))).isEqualTo(Choice.SOURCE);
  }

  private static SendingView somethingWaits(SendingView view) {
    return new SendingView(
        view.next(),
        view.floor(),
        view.seen(),
        view.gaps(),
        view.reportedPacket(),
        view.nextPacket(),
        view.unreported(),
        view.inFlight(),
        true,
        view.lossRate(),
        view.burstPackets(),
        view.packetsPerSecond());
  }

  // At a loss of a fifth.
  private static SendingView nothingWaits(long next, long seen, int unreported) {
    return new SendingView(
        next,
        seen,
        seen,
        GapSet.EMPTY,
        200,
        201 + unreported,
        unreported,
        unreported,
        false,
        0.2,
        1,
        1_000);
  }

  /** √( 200/800 ) = 0.5 and √( 800/800 ) = 1: either costs 0.0106 of the rate at a tenth. */
  @Test
  void cautionGrowsWithWhatIsOnItsWay() {
    for (int unreported : new int[] {200, 800}) {
      double z = Math.sqrt(unreported / 800.0);
      double expected = z * Math.sqrt(0.1 * 0.9 * unreported);
      assertThat(expected / unreported).isCloseTo(0.0106, within(1e-4));
      long seen = 1_000 - (long) (0.9 * unreported);
      long enough = (long) Math.ceil(expected);
      assertThat(new SlidingDeficit().choose(onItsWay(unreported, seen, 1e3)))
          .isInstanceOf(Choice.Repair.class);
      assertThat(new SlidingDeficit().choose(onItsWay(unreported, seen + enough, 1e3)))
          .isEqualTo(Choice.SOURCE);
    }
  }

  // At a loss of a tenth, source symbols waiting.
  private static SendingView onItsWay(int unreported, long seen, double packetsPerSecond) {
    return new SendingView(
        1_000,
        0,
        seen,
        GapSet.EMPTY,
        0,
        1 + unreported,
        unreported,
        unreported,
        true,
        0.1,
        1,
        packetsPerSecond);
  }

  @Test
  void repairsCoverLessWhereThereAreManyOfThem() {
    assertThat(widthAt(1e3)).isEqualTo(128);
    assertThat(widthAt(30e3)).isEqualTo(50);
    assertThat(widthAt(1e6)).isEqualTo(16);
  }

  private static int widthAt(double packetsPerSecond) {
    return SlidingDeficit.repair(onItsWay(800, 100, packetsPerSecond))
            instanceof Choice.Repair repair
        ? repair.count()
        : 0;
  }

  @Test
  void aRepairCoversTheGapsAndATailAboveTheFloor() {
    SendingView view = view(1_000, 995, 990, gap(995, 1), 1_229, 1_230, 0.1);
    assertThat(new SlidingDeficit(0).choose(view)).isEqualTo(new Choice.Repair(true, 995, 5));
  }

  @Test
  void aLargeDeficitIsReducedByLostSymbolsThatTheReportDoesNotShowAsSeen() {
    SlidingDeficit policy = new SlidingDeficit(0);
    for (long id : new long[] {300, 90, 100, 99, 101}) {
      policy.onSymbolLost(id);
    }
    // 90 is below the floor, 99 is seen, 300 is beyond what the report names.
    SendingView view =
        view(400, 98, 300, new GapSet(new long[] {98, 100}, new int[] {1, 2}, 2), 409, 410, 0);
    for (long id : new long[] {100, 101, 300}) {
      assertThat(policy.choose(view)).isEqualTo(new Choice.Again(id));
      assertThat(policy.choose(view)).isEqualTo(new Choice.Again(id));
      policy.onSymbolRepeated(id);
    }
    assertThat(policy.choose(view)).isInstanceOf(Choice.Repair.class);
    policy.onSymbolLost(300);
    SendingView small = view(400, 98, 399, gap(98, 1), 409, 410, 0);
    assertThat(policy.choose(small)).isInstanceOf(Choice.Repair.class);
  }

  @Test
  void nothingIsSentWhereNothingIsMissed() {
    SendingView idle =
        new SendingView(50, 50, 50, GapSet.EMPTY, 60, 61, 0, 0, false, 0.3, 1, 1_000);
    assertThat(new SlidingDeficit(0).choose(idle)).isEqualTo(Choice.NOTHING);
    assertThat(new SlidingDeficit(0).probe(idle)).isEqualTo(Choice.NOTHING);
    assertThat(new SelectiveRepeat().choose(idle)).isEqualTo(Choice.NOTHING);
    assertThat(new SelectiveRepeat().probe(idle)).isEqualTo(Choice.NOTHING);
    assertThat(new PaperBlocks(40).probe(idle)).isEqualTo(Choice.NOTHING);
  }

  @Test
  void selectiveRepeatSendsWhatWasLostBeforeWhatIsNew() {
    SelectiveRepeat policy = new SelectiveRepeat();
    policy.onSymbolLost(3);
    policy.onSymbolLost(9);
    // The first has arrived otherwise.
    SendingView view = view(20, 5, 10, GapSet.EMPTY, 19, 20, 0.1);
    assertThat(policy.choose(view)).isEqualTo(new Choice.Again(9));
    assertThat(policy.choose(view)).isEqualTo(Choice.SOURCE);
  }

  @Test
  void aBlockGetsItsRepairsAndMoreAsOftenAsFeedbackAsks() {
    PaperBlocks policy = new PaperBlocks(40);
    long packet = 0;
    for (long next = 0; next < 40; next++) {
      assertThat(policy.choose(view(next, 0, 0, GapSet.EMPTY, -1, packet++, 0.1)))
          .isEqualTo(Choice.SOURCE);
    }
    // FILLING → SENT: m = 47.
    for (int i = 0; i < 7; i++) {
      assertThat(policy.choose(view(40, 0, 0, GapSet.EMPTY, -1, packet++, 0.1)))
          .isEqualTo(new Choice.Repair(false, 0, 40));
    }
    assertThat(policy.choose(view(40, 0, 0, gap(3, 2), 45, packet, 0.1))).isEqualTo(Choice.SOURCE);
    // SENT → ASKED: all is reported, two are unseen: ⌈2/0.9⌉ + 1 = 4.
    for (int i = 0; i < 4; i++) {
      assertThat(policy.choose(view(40, 3, 38, gap(3, 2), 46, packet++, 0.1)))
          .isEqualTo(new Choice.Repair(false, 0, 40));
    }
    assertThat(policy.choose(view(40, 3, 38, gap(3, 2), 46, packet, 0.1))).isEqualTo(Choice.SOURCE);
    // Asked again, once those have been reported.
    assertThat(policy.choose(view(40, 4, 39, gap(4, 1), packet - 1, packet, 0.1)))
        .isEqualTo(new Choice.Repair(false, 0, 40));
    // DECODED.
    assertThat(policy.choose(view(40, 40, 40, GapSet.EMPTY, packet, packet + 1, 0.1)))
        .isEqualTo(Choice.SOURCE);
  }
}
