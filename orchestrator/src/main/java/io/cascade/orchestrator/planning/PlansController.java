package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.orchestrator.contract.PlansApi;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PlansController implements PlansApi {
  private final Planner planner;

  PlansController(Planner planner) {
    this.planner = planner;
  }

  @Override
  public ResponseEntity<Plan> plan(PlanRequest request) {
    return ResponseEntity.ok(planner.plan(request).document());
  }
}
