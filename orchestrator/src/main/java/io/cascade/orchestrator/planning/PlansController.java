package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.TransferReport;
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
    return new PlanRequest(
        asked.destination(),
        asked.bytes(),
        transfers.completed(client, asked.destination(), asked.source()),
        asked.via(),
        asked.avoid(),
        asked.maxRelays(),
        asked.congestionControl(),
        asked.capacityBitsPerSecond(),
        asked.objective(),
        asked.limits(),
        asked.paths(),
        asked.measureSeconds(),
        asked.controls());
  }

  @Override
  public ResponseEntity<Void> reportTransfer(TransferReport report) {
    transfers.reported(current.getRemoteAddr(), report);
    return ResponseEntity.noContent().build();
  }
}
