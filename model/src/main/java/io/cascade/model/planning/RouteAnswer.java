package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The planner's answer.
 *
 * @param decision how sure it is
 * @param chosen what to install: a cascade or the direct path; when undecided the one with the
 *     better likely result, or the cascade if the direct path was not measured
 * @param bestCascade the best way through relays, whether chosen or not
 * @param gain direct over best cascade, in time or, for a stream, in rate: above 1 the cascade is
 *     faster
 * @param probabilityCascadeWins how likely the best cascade takes less time than the direct path,
 *     given what was counted of losses; empty if one side has no prediction
 * @param relayValues what each further relay is worth, from the first on
 * @param front the direct path and the cascades that nothing beats in both time and price, fastest
 *     first; empty unless {@link Objective#TIME_AND_PRICE} was asked for
 * @param excluded the relays that were ruled out, and why
 * @param candidates everything that was scored, best likely result first
 * @param measureNext what would decide, if undecided
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
   * The same, as tests of its direct way and of one cascade have decided it. What losses say of the
   * two is left out.
   *
   * @param cascade the best from now on: of another one no test has told
   * @throws IllegalStateException where there is no direct way
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
