package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.study.Finding;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundValuesTest {
  private final RoundValues results = new RoundValues();

  @Test
  void aSummaryIsTheMedianWithLowestAndHighest() {
    add("ours", 5, 1, 2);
    add("theirs", 1, 4, 2, 3);

    assertThat(
            results
                .summary("t", "ours", Metric.P50)
                .map(one -> List.of(one.median(), one.least(), one.most())))
        .hasValue(List.of(2.0, 1.0, 5.0));
    assertThat(
            results
                .summary("t", "theirs", Metric.P50)
                .map(one -> List.of(one.median(), one.least(), one.most())))
        .hasValue(List.of(2.5, 1.0, 4.0));
    assertThat(results.summary("t", "nobody", Metric.P50)).isEmpty();
  }

  @Test
  void aRatioComparesWhatHadTheSameRound() {
    add("ours", 1, 20, 300);
    add("theirs", 2, 10, 100);

    // 0.5, 2 and 3: the ratio of the medians would have been 2 only by chance.
    assertThat(
            results
                .ratio("t", "ours", "theirs", Metric.P50)
                .map(one -> List.of(one.median(), one.least(), one.most())))
        .hasValue(List.of(2.0, 0.5, 3.0));
  }

  @Test
  void aGoalIsHeldAgainstTheBestRival() {
    add("ours", 10, 10, 10);
    add("slow", 20, 20, 20);
    add("fast", 8, 8, 8);
    RelayGoal goal = new RelayGoal("t", "ours", Metric.P50, List.of("slow", "fast", "absent"), 1);

    assertThat(goal.judge(results))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.goal()).isEqualTo("at most 1.00 of fast");
          assertThat(verdict.found()).isEqualTo("1.25");
          assertThat(verdict.finding()).isEqualTo(Finding.MISSED);
        });
  }

  @Test
  void whereMoreIsBetterTheBestRivalHasTheMost() {
    measured("ours", Metric.CONNECTIONS, 95);
    measured("one", Metric.CONNECTIONS, 50);
    measured("other", Metric.CONNECTIONS, 100);
    RelayGoal goal = new RelayGoal("t", "ours", Metric.CONNECTIONS, List.of("one", "other"), 0.9);

    assertThat(goal.judge(results))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.goal()).isEqualTo("at least 0.90 of other");
          assertThat(verdict.found()).isEqualTo("0.95");
          assertThat(verdict.finding()).isEqualTo(Finding.MET);
        });
  }

  @Test
  void aGoalIsOpenWhereTheIntervalOfTheRoundsReachesIt() {
    add("ours", 9, 10, 12);
    add("fast", 10, 10, 10);
    RelayGoal goal = new RelayGoal("t", "ours", Metric.P50, List.of("fast"), 0.95);

    assertThat(goal.judge(results))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.found()).isEqualTo("1.00");
          assertThat(verdict.finding()).isEqualTo(Finding.OPEN);
        });
  }

  @Test
  void aGoalWithoutRivalsIsAnAbsoluteOne() {
    measured("ours", Metric.PSS_PER_STREAM, 3.5);
    RelayGoal goal = new RelayGoal("t", "ours", Metric.PSS_PER_STREAM, List.of(), 3);

    assertThat(goal.judge(results))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.found()).isEqualTo("3.50");
          assertThat(verdict.finding()).isEqualTo(Finding.MISSED);
          assertThat(verdict.what()).isEqualTo("t: PSS");
          assertThat(verdict.goal()).isEqualTo("at most 3.00 KiB/stream");
        });
  }

  @Test
  void aGoalWhoseRivalsAllSatOutIsNotJudged() {
    measured("ours", Metric.P50, 1);

    assertThat(new RelayGoal("t", "ours", Metric.P50, List.of("absent"), 1).judge(results))
        .isEmpty();
  }

  private void add(String contender, double... rounds) {
    for (double round : rounds) {
      measured(contender, Metric.P50, round);
    }
  }

  private void measured(String contender, Metric metric, double value) {
    results.add("t", contender, Map.of(metric, value));
  }
}
