package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.WayComparison;
import io.cascade.contract.ComparisonDocument;
import io.cascade.orchestrator.problems.Refusal;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.springframework.stereotype.Component;

/**
 * Plans with a comparison, if the request asks for one and the plan is undecided: relays test the
 * direct way and the best cascade in pairs, and the plan is made again.
 */
@Component
class ComparedPlans {
  private final Planner planner;
  private final PairedTests tests;
  private final WayComparisons comparisons;

  ComparedPlans(Planner planner, PairedTests tests, WayComparisons comparisons) {
    this.planner = planner;
    this.tests = tests;
    this.comparisons = comparisons;
  }

  /**
   * The best plan.
   *
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  Plan plan(PlanRequest request) {
    Planned planned = planner.plan(request);
    Plan first = planned.document();
    if (!Boolean.TRUE.equals(request.compare())
        || Boolean.TRUE.equals(request.stored())
        || first.decision() != Decision.UNDECIDED
        || first.comparison() != null) {
      return first;
    }
    TestedWays ways = planned.compared().ways();
    if (ways == null) {
      return notCompared(first, planned.compared().obstacle());
    }
    try {
      comparisons.compared(ways, tests.run(ways, slower(first)));
    } catch (Refusal refusal) {
      return notCompared(first, refusal.reason());
    }
    Plan again = planner.plan(request.toBuilder().measureSeconds(0.0).build()).document();
    Optional<WayComparison> result = comparisons.document(ways);
    // Streams of the tests may make another cascade the best, which is then undecided.
    return again.comparison() == null && result.isPresent()
        ? ComparisonDocument.withNote(again, ComparisonDocument.words(result.get()))
        : again;
  }

  private static Plan notCompared(Plan plan, String why) {
    return ComparisonDocument.withNote(plan, "The ways were not compared: " + why + ".");
  }

  /** The likely rate of the slower way, in bit/s; empty unless both rates are known. */
  private static OptionalDouble slower(Plan plan) {
    OptionalDouble direct = likely(plan, CandidateKind.DIRECT);
    OptionalDouble cascade = likely(plan, CandidateKind.CASCADE);
    return direct.isPresent() && cascade.isPresent()
        ? OptionalDouble.of(Math.min(direct.getAsDouble(), cascade.getAsDouble()))
        : OptionalDouble.empty();
  }

  private static OptionalDouble likely(Plan plan, CandidateKind kind) {
    return plan.candidates().stream()
        .filter(way -> way.kind() == kind)
        .filter(way -> kind == CandidateKind.DIRECT || way.relays().equals(plan.relays()))
        .map(Candidate::bitsPerSecond)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .findFirst();
  }
}
