package io.cascade.model.calibration;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Prediction;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.units.Require;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Chooses a cascade other than the likely best for a share of the decisions, to learn how good it
 * is. It is one whose interval overlaps the best one's, so that the measurements do not show it to
 * be worse.
 *
 * @param share of decisions, 0 for never, at most 1
 * @param random source of random numbers; with the same seed decisions repeat
 */
public record Exploration(double share, RandomGenerator random) {

  /** Checks the share. */
  public Exploration {
    Require.probability("share", share);
  }

  /** The cascade to try instead of the plan's best; empty for most decisions. */
  public Optional<Candidate> instead(RouteAnswer plan) {
    Optional<Prediction> best = plan.bestCascade().flatMap(Candidate::prediction);
    if (share == 0 || best.isEmpty() || random.nextDouble() >= share) {
      return Optional.empty();
    }
    List<Candidate> open =
        plan.candidates().stream()
            .filter(candidate -> candidate.kind() == Candidate.Kind.CASCADE)
            .filter(candidate -> !candidate.equals(plan.bestCascade().orElseThrow()))
            .filter(candidate ->
                candidate.prediction().filter(other -> overlap(other, best.get())).isPresent())
            .toList();
    return open.isEmpty() ? Optional.empty() : Optional.of(open.get(random.nextInt(open.size())));
  }

  private static boolean overlap(Prediction one, Prediction other) {
    return one.goodputBitsPerSecond().high() >= other.goodputBitsPerSecond().low()
        && other.goodputBitsPerSecond().high() >= one.goodputBitsPerSecond().low();
  }
}
