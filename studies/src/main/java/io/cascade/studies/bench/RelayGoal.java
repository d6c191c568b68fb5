package io.cascade.studies.bench;

import io.cascade.studies.rivals.Estimate;
import io.cascade.studies.study.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * RelayGoal of the relay in a trial.
 *
 * @param rivals names; held against the best of those that took part; empty where the limit is
 *     absolute
 * @param limit of the ratio to that rival, or of the value itself
 */
record RelayGoal(String trial, String contender, Metric metric, List<String> rivals, double limit) {
  /** Empty where a side of the comparison was not measured. */
  Optional<Attainment> judge(RoundValues results) {
    if (rivals.isEmpty()) {
      return results
          .summary(trial, contender, metric)
          .map(value -> new Attainment(this, "-", value.median(), value.estimate().atMost(limit)));
    }
    return rivals.stream()
        .filter(rival -> results.summary(trial, rival, metric).isPresent())
        .min((one, other) -> Double.compare(worse(results, one), worse(results, other)))
        .flatMap(rival ->
            results
                .ratio(trial, contender, rival, metric)
                .map(ratio ->
                    new Attainment(this, rival, ratio.median(), finding(ratio.estimate()))));
  }

  private double worse(RoundValues results, String rival) {
    double median = results.summary(trial, rival, metric).orElseThrow().median();
    return metric.moreIsBetter() ? -median : median;
  }

  private Finding finding(Estimate ratio) {
    return metric.moreIsBetter() ? ratio.atLeast(limit) : ratio.atMost(limit);
  }

  /** Describes the goal in words. */
  String text(String rival) {
    String bound = metric.moreIsBetter() ? "at least" : "at most";
    return rivals.isEmpty()
        ? "%s: %s %s %s %s"
            .formatted(trial, metric.label(), bound, metric.format(limit), metric.unit())
        : String.format(
            Locale.ROOT,
            "%s: %s of %s %s %.2f of %s",
            trial,
            metric.label(),
            contender,
            bound,
            limit,
            rival);
  }

  /**
   * Value that was reached beside the goal.
   *
   * @param rival the best of them
   * @param reached the median of the rounds' ratios, or the median value
   */
  record Attainment(RelayGoal goal, String rival, double reached, Finding finding) {
    String text() {
      return goal.text(rival);
    }
  }
}
