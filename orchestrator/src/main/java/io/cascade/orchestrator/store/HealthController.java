package io.cascade.orchestrator.store;

import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.orchestrator.contract.HealthApi;
import io.cascade.orchestrator.leadership.Tenure;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HealthController implements HealthApi {
  private final DatabaseHealth database;
  private final Tenure tenure;

  HealthController(DatabaseHealth database, Tenure tenure) {
    this.database = database;
    this.tenure = tenure;
  }

  @Override
  public ResponseEntity<OrchestratorHealth> health() {
    if (!database.isWritable()) {
      throw new Refusal(
          ProblemKind.DATABASE_READ_ONLY,
          "the last write failed, the log says why; fix: free space on the disk of --state-dir, or"
              + " see to the server of --database");
    }
    return ResponseEntity.ok(
        OrchestratorHealth.builder()
            .status("UP")
            .role(OrchestratorRole.LEADER)
            .epoch(tenure.epoch())
            .build());
  }
}
