package io.cascade.orchestrator.store;

import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.orchestrator.contract.HealthApi;
import io.cascade.orchestrator.leadership.Tenure;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.TaskWatch;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HealthController implements HealthApi {
  private final DatabaseHealth database;
  private final Tenure tenure;
  private final TaskWatch tasks;

  HealthController(DatabaseHealth database, Tenure tenure, TaskWatch tasks) {
    this.database = database;
    this.tenure = tenure;
    this.tasks = tasks;
  }

  @Override
  public ResponseEntity<OrchestratorHealth> health() {
    if (!database.isWritable()) {
      throw new Refusal(
          ProblemKind.DATABASE_READ_ONLY,
          "the last write failed, and the log has the reason; fix: free space on the disk of"
              + " --state-dir, or repair the server of --database");
    }
    List<String> blocked = tasks.blocked();
    if (!blocked.isEmpty()) {
      throw new Refusal(
          ProblemKind.BLOCKED,
          (blocked.size() == 1 ? "the task " : "the tasks ")
              + String.join(", ", blocked)
              + (blocked.size() == 1 ? " has not" : " have not")
              + " completed a round for a minute or more; fix: find with jstack what blocks them,"
              + " and"
              + " start the orchestrator again");
    }
    return ResponseEntity.ok(
        OrchestratorHealth.builder()
            .status("UP")
            .role(OrchestratorRole.LEADER)
            .epoch(tenure.epoch())
            .build());
  }
}
