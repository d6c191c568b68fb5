package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.orchestrator.contract.PlansApi;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PlansController implements PlansApi {
  private final Planner planner;
  private final PlanTurns turns;
  private final HttpServletRequest current;

  /**
   * @param current stands for the request that is being answered
   */
  PlansController(Planner planner, PlanTurns turns, HttpServletRequest current) {
    this.planner = planner;
    this.turns = turns;
    this.current = current;
  }

  @Override
  public ResponseEntity<Plan> plan(PlanRequest request) {
    return ResponseEntity.ok(
        turns.take(current.getRemoteAddr(), () -> planner.plan(request).document()));
  }
}
