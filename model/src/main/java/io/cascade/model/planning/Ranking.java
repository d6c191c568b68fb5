package io.cascade.model.planning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Choice of the best of several candidates, in which small differences do not count. */
final class Ranking {

  /** Factor up to which a difference does not justify another relay. */
  static final double PRACTICALLY_EQUAL = 1.02;

  /** Order by likely cost, then fewer relays, then the earlier first byte, then name. */
  static final Comparator<Candidate> BY_LIKELY_COST =
      Comparator.comparingDouble(Candidate::likelyCost)
          .thenComparingInt(candidate -> candidate.route().hops())
          .thenComparingDouble(Candidate::firstByteSeconds)
          .thenComparing(candidate -> candidate.route().toString());

  private static final Comparator<Candidate> BY_PRICE =
      Comparator.comparingDouble(Candidate::pricePerGibibyte).thenComparing(BY_LIKELY_COST);

  private Ranking() {}

  /** Returns the order of a request's objective. */
  static Comparator<Candidate> order(RouteQuestion request) {
    return request.objective() == Objective.PRICE
        ? Comparator.<Candidate>comparingInt(candidate -> candidate.reaches(request) ? 0 : 1)
            .thenComparing((one, other) ->
                one.reaches(request)
                    ? BY_PRICE.compare(one, other)
                    : BY_LIKELY_COST.compare(one, other))
        : BY_LIKELY_COST;
  }

  /**
   * The cheapest that reaches the required rate, if price is the objective and any reaches it;
   * otherwise the fastest.
   */
  static Optional<Candidate> best(List<Candidate> candidates, RouteQuestion request) {
    boolean byPrice =
        request.objective() == Objective.PRICE
            && candidates.stream().anyMatch(candidate -> candidate.reaches(request));
    if (byPrice) {
      return candidates.stream().min(order(request));
    }
    return quickest(candidates);
  }

  /** The one with the fewest relays among those whose expected cost is practically the least. */
  static Optional<Candidate> quickest(List<Candidate> candidates) {
    double least = candidates.stream().mapToDouble(Candidate::expectedCost).min().orElse(0);
    return candidates.stream()
        .filter(candidate -> candidate.expectedCost() <= least * PRACTICALLY_EQUAL)
        .min(
            Comparator.<Candidate>comparingInt(candidate -> candidate.route().hops())
                .thenComparingDouble(Candidate::expectedCost)
                .thenComparing(BY_LIKELY_COST));
  }

  /** The direct path and the cascades that no other beats in both time and price, fastest first. */
  static List<Candidate> front(Candidate direct, List<Candidate> cascades) {
    List<Candidate> sorted = new ArrayList<>(cascades);
    sorted.add(direct);
    sorted.sort(BY_LIKELY_COST.thenComparing(BY_PRICE));
    List<Candidate> front = new ArrayList<>();
    double cheapest = Double.POSITIVE_INFINITY;
    for (Candidate candidate : sorted) {
      if (candidate.pricePerGibibyte() < cheapest) {
        front.add(candidate);
        cheapest = candidate.pricePerGibibyte();
      }
    }
    return front;
  }
}
