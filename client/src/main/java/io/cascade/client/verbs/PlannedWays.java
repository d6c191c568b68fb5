package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.client.terminal.PlanText;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a plan knows of the ways that a transfer took, or could have taken. */
final class PlannedWays {
  /** Least gain at which another way is recommended for the next transfer. */
  static final double NOTABLE_GAIN = 1.25;

  private final @Nullable Plan plan;

  /**
   * @param plan null where there was none
   */
  PlannedWays(@Nullable Plan plan) {
    this.plan = plan;
  }

  /**
   * The slowest hop of a way, if its capacity is known: configured by the operator, or measured by
   * filling the link. Lower bounds do not count, nor do hops that are slow because of losses while
   * another one has less capacity.
   *
   * @param relays of the way; empty for the direct one
   */
  Optional<HopPrediction> slowestHop(List<String> relays) {
    Candidate way = plan == null ? null : candidate(plan, relays);
    if (way == null) {
      return Optional.empty();
    }
    return way.hops().stream()
        .filter(hop -> Boolean.TRUE.equals(hop.bottleneck()))
        .findFirst()
        .filter(slowest -> {
          Double least = capacity(slowest);
          return least != null
              && way.hops().stream()
                  .map(PlannedWays::capacity)
                  .allMatch(other -> other == null || least <= other);
        });
  }

  /**
   * The plan's best cascade, if it is much faster than what a transfer reached: by its likely rate
   * if the plan decided for relays, otherwise by its lower bound.
   *
   * @param used relays that carried; empty for none
   * @param reachedBitsPerSecond rate of the transfer
   * @param isFull whether the transfer caused a standing queue: a plan that did not decide for
   *     relays is then no evidence against the reached rate
   */
  Optional<Candidate> fasterCascade(
      List<String> used, double reachedBitsPerSecond, boolean isFull) {
    List<String> relays = plan == null ? null : plan.relays();
    if (plan == null || relays == null || relays.isEmpty() || relays.equals(used)) {
      return Optional.empty();
    }
    Candidate best = candidate(plan, relays);
    if (best == null || best.evidence() == null || best.evidence() == RateEvidence.BOUND) {
      return Optional.empty();
    }
    boolean decided = plan.decision() == Decision.CASCADE;
    Double least = decided ? best.bitsPerSecond() : best.bitsPerSecondLow();
    boolean faster =
        least != null
            && best.bitsPerSecond() != null
            && (decided || !isFull)
            && least >= NOTABLE_GAIN * reachedBitsPerSecond;
    return faster ? Optional.of(best) : Optional.empty();
  }

  private static @Nullable Candidate candidate(Plan plan, List<String> relays) {
    return PlanText.candidate(
        plan, relays.isEmpty() ? CandidateKind.DIRECT : CandidateKind.CASCADE, relays);
  }

  private static @Nullable Double capacity(HopPrediction hop) {
    return hop.capacityKind() == CapacityKind.KNOWN ? hop.capacityBitsPerSecond() : null;
  }
}
