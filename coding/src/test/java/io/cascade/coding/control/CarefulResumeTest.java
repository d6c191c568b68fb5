package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.ResumePhase.Event;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarefulResumeTest {
  private static final long ROUND_TRIP = 160_000_000;
  private static final int INITIAL = 10;
  private static final double KNOWN = 1_000;

  private final CarefulResume resume = new CarefulResume(INITIAL);

  @Test
  void phasesMoveAsTheirTableSays() {
    ResumePhase scout = ResumePhase.RECONNAISSANCE;
    ResumePhase jump = ResumePhase.UNVALIDATED;
    ResumePhase check = ResumePhase.VALIDATING;
    ResumePhase retreat = ResumePhase.SAFE_RETREAT;
    ResumePhase normal = ResumePhase.NORMAL;
    assertRow(Event.BEGUN, scout, scout, scout, scout, scout);
    assertRow(Event.CONFIRMED, jump, jump, check, retreat, normal);
    assertRow(Event.REFUTED, normal, jump, check, retreat, normal);
    assertRow(Event.JUMP_ARRIVES, scout, check, check, retreat, normal);
    assertRow(Event.JUMP_RESOLVED, scout, jump, normal, normal, normal);
    assertRow(Event.CONGESTION, normal, retreat, retreat, retreat, normal);
  }

  private static void assertRow(Event event, ResumePhase... to) {
    ResumePhase[] from = ResumePhase.values();
    for (int i = 0; i < from.length; i++) {
      assertThat(from[i].after(event)).as("%s after %s", from[i], event).isEqualTo(to[i]);
    }
  }

  @Test
  void jumpsToHalfOnceTheInitialWindowHasArrived() {
    begin(0);
    arrive(0, INITIAL - 1);
    assertThat(judge(20, 20)).isEqualTo(20);
    arrive(INITIAL - 1, INITIAL);
    assertThat(judge(20, 20)).isEqualTo(KNOWN / 2);
    assertThat(resume.phase()).isEqualTo(ResumePhase.UNVALIDATED);
  }

  @Test
  void aLossInTheInitialWindowRefutesAPathThatLosesNothing() {
    begin(0);
    arrive(0, INITIAL - 1);
    resume.lost(INITIAL - 1);
    assertThat(judge(20, 20)).isEqualTo(20);
    assertThat(resume.phase()).isEqualTo(ResumePhase.NORMAL);
  }

  @Test
  void aLossInTheInitialWindowIsChanceOnAPathThatLoses() {
    begin(0.05);
    arrive(0, INITIAL - 1);
    resume.lost(INITIAL - 1);
    assertThat(judge(20, 20)).isEqualTo(KNOWN / 2);
  }

  /** In tenths of the known round trip. */
  @ParameterizedTest
  @CsvSource({"4, false", "5, true", "10, true", "100, true", "101, false"})
  void anotherRoundTripIsAnotherPath(int tenths, boolean isSame) {
    begin(0);
    arrive(0, INITIAL);
    double window = resume.judge(20, 20, 10, true, tenths * ROUND_TRIP / 10.0);
    assertThat(window).isEqualTo(isSame ? KNOWN / 2 : 20);
  }

  @Test
  void whoDoesNotFillTheInitialWindowDoesNotJump() {
    begin(0);
    arrive(0, INITIAL);
    assertThat(resume.judge(20, 10, 0, false, (double) ROUND_TRIP)).isEqualTo(20);
    assertThat(resume.phase()).isEqualTo(ResumePhase.RECONNAISSANCE);
  }

  @Test
  void whatAJumpDidNotUseIsGivenUp() {
    jump(0);
    assertThat(resume.endRound(KNOWN / 2, 80, 60)).isEqualTo(60);
  }

  @Test
  void aJumpThatArrivesGrowsByWhatArrives() {
    jump(0);
    double window = resume.endRound(KNOWN / 2, 520, 500);
    arrive(20, 120);
    assertThat(judge(window, 620)).isEqualTo(600);
    arrive(120, 520);
    window = judge(600, 1_000);
    assertThat(window).isEqualTo(1_000);
    assertThat(resume.endRound(window, 1_000, 1_000)).isEqualTo(1_000);
    assertThat(resume.phase()).isEqualTo(ResumePhase.NORMAL);
    assertThat(resume.hasRetreated()).isFalse();
  }

  @Test
  void aQueueInTheJumpHalvesWhatHasArrived() {
    jump(0);
    resume.endRound(KNOWN / 2, 520, 500);
    for (int i = 0; i < 8; i++) {
      resume.arrived(20 + i, true);
    }
    assertThat(judge(500, 520)).isEqualTo((10 + 8) / 2.0);
    assertThat(resume.phase()).isEqualTo(ResumePhase.SAFE_RETREAT);
    arrive(28, 128);
    assertThat(judge(9, 520)).as("nothing grows meanwhile").isEqualTo(9);
    resume.endRound(9, 520, 500);
    assertThat(resume.phase()).isEqualTo(ResumePhase.NORMAL);
    assertThat(resume.most()).as("what has arrived, and was under way").isEqualTo(10 + 108);
  }

  @ParameterizedTest
  @CsvSource({"0, 2, true", "0.02, 13, false", "0.02, 60, true"})
  void lossesOfAJumpAreCongestionAboveThePathsOwn(double own, int lost, boolean isCongestion) {
    jump(own);
    resume.endRound(KNOWN / 2, 520, 500);
    arrive(20, 520 - lost);
    for (int i = 520 - lost; i < 520; i++) {
      resume.lost(i);
    }
    judge(500, 600);
    assertThat(resume.hasRetreated()).isEqualTo(isCongestion);
  }

  @Test
  void silenceIsCongestion() {
    jump(0);
    resume.timedOut();
    judge(500, 520);
    assertThat(resume.hasRetreated()).isTrue();
  }

  @Test
  void neverMoreThanHalfIsUnvalidated() {
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double loss = random.nextInt(3) * 0.05;
      CarefulResume of = new CarefulResume(INITIAL);
      of.begin(new RetainedPath(KNOWN, ROUND_TRIP, loss), 0);
      double window = INITIAL;
      long ordinal = 0;
      long arrivedOfJump = 0;
      for (int step = 0; step < 2_000; step++) {
        boolean hasJumped = of.phase().hasJumped();
        if (random.nextDouble() < loss) {
          of.lost(ordinal);
        } else {
          of.arrived(ordinal, random.nextInt(50) == 0);
          arrivedOfJump += hasJumped ? 1 : 0;
        }
        ordinal++;
        window = of.judge(window, ordinal + 500, 500, true, (double) ROUND_TRIP);
        if (random.nextInt(300) == 0 && of.phase().hasJumped()) {
          window = of.endRound(window, ordinal + 500, random.nextInt(600));
        }
        assertThat(window)
            .as("seed %s, step %s", seed, step)
            .isLessThanOrEqualTo(KNOWN / 2 + arrivedOfJump);
      }
    }
  }

  private void begin(double loss) {
    resume.begin(new RetainedPath(KNOWN, ROUND_TRIP, loss), 0);
  }

  /** Ten packets are under way when it jumps, and its first one is number 20. */
  private void jump(double loss) {
    begin(loss);
    arrive(0, INITIAL);
    judge(20, 20);
  }

  private void arrive(int from, int to) {
    for (int i = from; i < to; i++) {
      resume.arrived(i, false);
    }
  }

  private double judge(double window, long nextOrdinal) {
    return resume.judge(window, nextOrdinal, 10, true, (double) ROUND_TRIP);
  }
}
