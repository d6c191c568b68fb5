package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.contract.PlanRequestBuilder;
import io.cascade.orchestrator.contract.PlansApi;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PlansController implements PlansApi {
  private final Planner planner;
  private final PlanTurns turns;
  private final ClientTransfers transfers;
  private final HttpServletRequest current;

  /**
   * @param current stands for the request that is being answered
   */
  PlansController(
      Planner planner, PlanTurns turns, ClientTransfers transfers, HttpServletRequest current) {
    this.transfers = transfers;
    this.planner = planner;
    this.turns = turns;
    this.current = current;
  }

  @Override
  public ResponseEntity<Plan> plan(PlanRequest request) {
    String client = current.getRemoteAddr();
    PlanRequest completed = with(request, client);
    return ResponseEntity.ok(turns.take(client, () -> planner.plan(completed).document()));
  }

  private PlanRequest with(PlanRequest asked, String client) {
    return PlanRequestBuilder.like(asked)
        .source(transfers.completed(client, asked.destination(), asked.source()))
        .build();
  }

  @Override
  public ResponseEntity<Void> reportTransfer(TransferReport report) {
    transfers.reported(current.getRemoteAddr(), report);
    return ResponseEntity.noContent().build();
  }
}
