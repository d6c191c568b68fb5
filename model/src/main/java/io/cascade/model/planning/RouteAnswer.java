package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The planner's answer.
 *
 * @param decision how sure it is
 * @param chosen the way to use: a cascade or the direct path; when undecided the one with the
 *     better likely result, or the cascade if the direct path was not measured
 * @param bestCascade the best way through relays, whether chosen or not
 * @param gain direct over best cascade, in time or, for a stream, in rate: above 1 the cascade is
 *     faster
 * @param probabilityCascadeWins probability that the best cascade takes less time than the direct
 *     path, given the counted losses; empty if one side has no prediction
 * @param relayValues value of each further relay, from the first on
 * @param front the direct path and the cascades that no other beats in both time and price, fastest
 *     first; empty unless the objective is {@link Objective#TIME_AND_PRICE}
 * @param excluded the relays that were excluded, and why
 * @param candidates all scored ways, best likely result first
 * @param measureNext measurements that would decide, if undecided
 */
public record RouteAnswer(
    Decision decision,
    Candidate chosen,
    Optional<Candidate> bestCascade,
    Optional<Interval> gain,
    OptionalDouble probabilityCascadeWins,
    List<RelayValue> relayValues,
    List<Candidate> front,
    List<Exclusion> excluded,
    List<Candidate> candidates,
    List<Measurement> measureNext) {

  /** Copies the lists. */
  public RouteAnswer {
    relayValues = List.copyOf(relayValues);
    front = List.copyOf(front);
    excluded = List.copyOf(excluded);
    candidates = List.copyOf(candidates);
    measureNext = List.copyOf(measureNext);
  }

  /**
   * This answer as tests of its direct way and of one cascade have decided it. The comparison by
   * losses is left out.
   *
   * @param cascade the best one from now on, since no other was tested
   * @throws IllegalStateException if there is no direct way
   */
  public RouteAnswer decidedBy(Candidate cascade, PairedComparison compared) {
    Decision found = compared.decision();
    Candidate direct =
        candidate(Candidate.Kind.DIRECT)
            .orElseThrow(() -> new IllegalStateException("nothing was compared"));
    return new RouteAnswer(
        found,
        found == Decision.CASCADE ? cascade : direct,
        Optional.of(cascade),
        Optional.of(compared.ratio()),
        OptionalDouble.empty(),
        relayValues,
        front,
        excluded,
        candidates,
        List.of());
  }

  /** The chosen route. */
  public NodePath route() {
    return chosen.route();
  }

  /** The first candidate of a kind. */
  public Optional<Candidate> candidate(Candidate.Kind kind) {
    return candidates.stream().filter(candidate -> candidate.kind() == kind).findFirst();
  }
}
