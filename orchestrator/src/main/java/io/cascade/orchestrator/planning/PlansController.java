package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.orchestrator.contract.PlansApi;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PlansController implements PlansApi {
  private final Planner planner;
  private final ComparedPlans compared;
  private final PlanTurns turns;
  private final ClientTransfers transfers;
  private final FollowUpPlans followUps;
  private final ClientQuestions questions;
  private final DirectTransfers direct;
  private final HttpServletRequest current;

  /**
   * @param current proxy for the request that is being answered
   */
  PlansController(
      Planner planner,
      ComparedPlans compared,
      PlanTurns turns,
      ClientTransfers transfers,
      FollowUpPlans followUps,
      ClientQuestions questions,
      DirectTransfers direct,
      HttpServletRequest current) {
    this.transfers = transfers;
    this.followUps = followUps;
    this.questions = questions;
    this.direct = direct;
    this.planner = planner;
    this.compared = compared;
    this.turns = turns;
    this.current = current;
  }

  @Override
  public ResponseEntity<Plan> plan(PlanRequest request) {
    String client = current.getRemoteAddr();
    PlanRequest completed = from(client, request);
    Plan plan =
        turns.take(
            client,
            () -> {
              Plan made = compared.plan(completed);
              planner.observed(completed);
              return made;
            });
    followUps.asked(client, completed);
    questions.asked(client, completed);
    return ResponseEntity.ok(plan);
  }

  private static PlanRequest from(String client, PlanRequest asked) {
    return asked.client() == null ? asked.toBuilder().client(client).build() : asked;
  }

  @Override
  public ResponseEntity<Void> reportTransfer(TransferReport report) {
    String client = current.getRemoteAddr();
    transfers.reported(client, report);
    followUps.ended(client, report.destination());
    if (Objects.requireNonNullElse(report.relays(), List.of()).isEmpty()) {
      direct.transferred(
          client, Destinations.parse(report.destination()), report.bytes(), report.bitsPerSecond());
    }
    return ResponseEntity.noContent().build();
  }
}
