package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a chain or its pipes move to better routes: once the same routes have promised much
 * more than the present ones for long enough, at every check. Estimates that vary around the
 * threshold cause no move, and a move back needs the same gain.
 */
final class LastingGain {
  /** Least factor by which the better routes have to promise more than the present ones. */
  static final double LEAST = 1.5;

  private final Duration lasting;
  private Set<List<String>> better = Set.of();
  private @Nullable Instant since;

  /**
   * @param lasting time for which a gain has to last
   */
  LastingGain(Duration lasting) {
    this.lasting = lasting;
  }

  /**
   * Compares routes.
   *
   * @param now steady time
   * @param present routes in use and what they promise, in bit/s; 0 if unknown
   * @param best the best known routes and what they promise
   * @return whether to move to the best ones
   */
  boolean lasts(Instant now, Promise present, Promise best) {
    Set<List<String>> wanted = new HashSet<>(best.pipes());
    if (wanted.equals(new HashSet<>(present.pipes()))
        || present.bitsPerSecond() <= 0
        || best.bitsPerSecond() < LEAST * present.bitsPerSecond()) {
      since = null;
      return false;
    }
    if (since == null || !wanted.equals(better)) {
      better = wanted;
      since = now;
    }
    return Duration.between(since, now).compareTo(lasting) >= 0;
  }

  /** Routes, by the relays of each, and the rate that they promise together. */
  record Promise(List<List<String>> pipes, double bitsPerSecond) {
    /**
     * The promise of a plan for a route. A route that is not among the plan's candidates promises
     * no more than the least of them; an unknown rate counts as 0.
     */
    static Promise of(Plan plan, List<String> route) {
      List<Candidate> cascades =
          plan.candidates().stream().filter(one -> one.kind() == CandidateKind.CASCADE).toList();
      double least = cascades.stream().mapToDouble(Promise::rate).min().orElse(0);
      double rate =
          cascades.stream()
              .filter(one -> one.relays().equals(route))
              .mapToDouble(Promise::rate)
              .findFirst()
              .orElse(least);
      return new Promise(List.of(route), rate);
    }

    /** The rate that a candidate is predicted to reach, or at least reaches; 0 if none is known. */
    static double rate(Candidate candidate) {
      Double likely = candidate.bitsPerSecond();
      return Objects.requireNonNullElse(
          likely == null ? candidate.bitsPerSecondLow() : likely, 0.0);
    }
  }
}
