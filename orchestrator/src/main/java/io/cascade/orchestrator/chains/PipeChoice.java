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

/** Makes a chain's pipes from the relays that were chosen for it. */
@Component
class PipeChoice {
  private final PipePlanner planner;

  PipeChoice(PipePlanner planner) {
    this.planner = planner;
  }

  /**
   * The pipes of a chain.
   *
   * @param bitsPerSecond rate that several routes are expected to carry together; 0 if unknown
   */
  record Chosen(RelayPipes relays, double bitsPerSecond, @Nullable Plan plan) {}

  /**
   * @param question question to the planner for the chain
   * @param relays relays that the request names or the planner chose, in order
   * @param plan plan that chose them; null if they were named
   * @throws Refusal if the request asks for pipes for which there is no route
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

  /** The present ends of a chain's pipes, which stay so that running streams can follow. */
  static List<String> ends(RouteHops route) {
    return List.of(route.firstRelay(), route.lastRelay());
  }
}
