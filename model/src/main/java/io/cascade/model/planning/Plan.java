package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;

/**
 * The planner's answer.
 *
 * @param decision how sure it is
 * @param chosen what to install: a cascade or the direct path; when undecided the one with the
 *     better likely result, or the cascade if the direct path was not measured
 * @param bestCascade the best way through relays, whether chosen or not
 * @param gain direct over best cascade, in time or, for a stream, in rate: above 1 the cascade is
 *     faster
 * @param candidates everything that was scored, best likely result first
 * @param measureNext what would decide, if undecided
 * @param why in words and numbers
 */
public record Plan(
    Decision decision,
    Candidate chosen,
    Optional<Candidate> bestCascade,
    Optional<Interval> gain,
    List<Candidate> candidates,
    List<Measurement> measureNext,
    String why) {

  /** Copies the lists. */
  public Plan {
    candidates = List.copyOf(candidates);
    measureNext = List.copyOf(measureNext);
  }

  /** The chosen route. */
  public Route route() {
    return chosen.route();
  }

  /** The first candidate of a kind. */
  public Optional<Candidate> candidate(Candidate.Kind kind) {
    return candidates.stream().filter(candidate -> candidate.kind() == kind).findFirst();
  }
}
