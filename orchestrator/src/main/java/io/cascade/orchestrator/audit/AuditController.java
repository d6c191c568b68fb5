package io.cascade.orchestrator.audit;

import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.AuditPage;
import io.cascade.orchestrator.contract.AuditApi;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AuditController implements AuditApi {
  private final AuditTrail trail;

  AuditController(AuditTrail trail) {
    this.trail = trail;
  }

  @Override
  public ResponseEntity<AuditPage> listAudit(@Nullable Long before, Integer limit) {
    List<AuditEntry> entries = trail.list(before == null ? Long.MAX_VALUE : before, limit);
    return ResponseEntity.ok(
        new AuditPage(entries, entries.size() < limit ? null : entries.getLast().id()));
  }
}
