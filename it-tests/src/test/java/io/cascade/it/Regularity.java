package io.cascade.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How regularly something happens that has a time of its own, whenever that is looked at. */
final class Regularity {
  /** Two times that are closer are one, as another look computed it. */
  private static final Duration SAME = Duration.ofMillis(100);

  private final Map<String, Instant> last = new HashMap<>();
  private final List<Double> intervals = new ArrayList<>();

  /** It happened at this time, perhaps seen already. */
  void seen(String of, Instant at) {
    Instant before = last.putIfAbsent(of, at);
    if (before != null && Duration.between(before, at).compareTo(SAME) > 0) {
      intervals.add(seconds(before, at));
      last.put(of, at);
    }
  }

  /**
   * Nothing more will be seen.
   *
   * @param now by the clock of the times that were seen
   */
  void ends(Instant now) {
    // What is due and has not come counts, and what will come in time does not.
    double usual = median();
    last.values().stream()
        .map(before -> seconds(before, now))
        .filter(since -> since > usual)
        .forEach(intervals::add);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  int count() {
    return intervals.size();
  }

  /** Seconds. */
  double median() {
    return quantile(0.5);
  }

  /** Seconds. */
  double p99() {
    return quantile(0.99);
  }

  private double quantile(double share) {
    if (intervals.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    List<Double> sorted = intervals.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1L, (long) (share * sorted.size())));
  }
}
