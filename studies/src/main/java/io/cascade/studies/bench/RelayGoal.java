package io.cascade.studies.bench;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Goal of the relay in a trial.
 *
 * @param rivals names; the relay is compared with the best of those that were measured; empty if
 *     the limit is absolute
 * @param limit of the ratio to that contender, or of the value itself
 */
record RelayGoal(String trial, String contender, Metric metric, List<String> rivals, double limit) {
  /**
   * Judges the median of the rounds' ratios, or the median value; empty if a side of the comparison
   * was not measured.
   */
  Optional<Goal> judge(RoundValues results) {
    if (rivals.isEmpty()) {
      String what = trial + ": " + metric.label();
      String most = "at most %s %s".formatted(metric.format(limit), metric.unit());
      return results
          .summary(trial, contender, metric)
          .map(value -> goal(what, most, value.median(), Estimate.of(value).atMost(limit)));
    }
    String what = "%s: %s of %s".formatted(trial, metric.label(), contender);
    return rivals.stream()
        .filter(rival -> results.summary(trial, rival, metric).isPresent())
        .min((one, other) -> Double.compare(worse(results, one), worse(results, other)))
        .flatMap(rival ->
            results
                .ratio(trial, contender, rival, metric)
                .map(ratio ->
                    goal(what, bound(rival), ratio.median(), finding(Estimate.of(ratio)))));
  }

  private static Goal goal(String what, String bound, double found, Finding finding) {
    return new Goal(what, bound, String.format(Locale.ROOT, "%.2f", found), finding);
  }

  private double worse(RoundValues results, String rival) {
    double median = results.summary(trial, rival, metric).orElseThrow().median();
    return metric.moreIsBetter() ? -median : median;
  }

  private Finding finding(Estimate ratio) {
    return metric.moreIsBetter() ? ratio.atLeast(limit) : ratio.atMost(limit);
  }

  private String bound(String rival) {
    return String.format(
        Locale.ROOT, "%s %.2f of %s", metric.moreIsBetter() ? "at least" : "at most", limit, rival);
  }
}
