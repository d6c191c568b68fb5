package io.cascade.model.planning;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which of several candidates is best when small differences do not count. */
final class Ranking {

  /** Differences up to this factor are no reason for another relay. */
  static final double PRACTICALLY_EQUAL = 1.02;

  /** By likely cost, then fewer relays, then the earlier first byte, then name. */
  static final Comparator<Candidate> BY_LIKELY_COST =
      Comparator.comparingDouble(Candidate::likelyCost)
          .thenComparingInt(candidate -> candidate.route().hops())
          .thenComparingDouble(Candidate::firstByteSeconds)
          .thenComparing(candidate -> candidate.route().toString());

  private Ranking() {}

  /** The one with the fewest relays among those whose likely cost is practically the least. */
  static Optional<Candidate> best(List<Candidate> candidates) {
    double least = candidates.stream().mapToDouble(Candidate::likelyCost).min().orElse(0);
    return candidates.stream()
        .filter(candidate -> candidate.likelyCost() <= least * PRACTICALLY_EQUAL)
        .min(
            Comparator.<Candidate>comparingInt(candidate -> candidate.route().hops())
                .thenComparing(BY_LIKELY_COST));
  }
}
