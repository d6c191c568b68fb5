package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.planning.PipePlanner;
import io.cascade.orchestrator.planning.PlannedPipes;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Turns the relays that were chosen for a chain into its pipes. */
@Component
class PipeChoice {
  private final PipePlanner planner;

  PipeChoice(PipePlanner planner) {
    this.planner = planner;
  }

  /**
   * The pipes of a chain.
   *
   * @param bitsPerSecond that several routes are expected to carry together; 0 where not known
   */
  record Chosen(RelayPipes relays, double bitsPerSecond, @Nullable Plan plan) {}

  /**
   * @param question that the planner was asked for the chain
   * @param relays that somebody named or the planner chose, in order
   * @param plan that led to them; null where they were named
   * @throws Refusal where the request wants pipes for which there is no route
   */
  Chosen of(ChainRequest request, PlanRequest question, List<String> relays, @Nullable Plan plan) {
    Integer routes = request.routes();
    if (routes == null) {
      return new Chosen(RelayPipes.of(request, relays), 0, plan);
    }
    if (relays.size() < 2) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "routes: pipes lead from one relay to another, and the chain goes through "
              + String.join(", ", relays)
              + " alone (fix: name the first and the last relay with via)");
    }
    PlannedPipes planned =
        planner.plan(relays.getFirst(), relays.getLast(), routes, question, plan);
    return new Chosen(
        new RelayPipes(planned.pipes(), List.of(), true),
        planned.bitsPerSecond(),
        planned.document());
  }

  /** The ends of a chain's pipes as they are, so that running streams can follow it. */
  static List<String> ends(RouteHops route) {
    return List.of(route.firstRelay(), route.lastRelay());
  }
}
