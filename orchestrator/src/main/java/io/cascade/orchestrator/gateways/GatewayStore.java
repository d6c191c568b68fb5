package io.cascade.orchestrator.gateways;

import io.cascade.orchestrator.audit.AuditTrail;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of gateways' keys across restarts of the orchestrator. */
@Component
class GatewayStore {
  private final JdbcClient db;
  private final AuditTrail trail;

  GatewayStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  /**
   * Key to which a name is bound.
   *
   * @param sequence sequence number of the report that bound it
   */
  record Bound(String publicKey, long sequence) {}

  void bind(String name, Bound bound) {
    db.sql("insert into gateway (name, public_key, sequence) values (:name, :key, :sequence)")
        .param("name", name)
        .param("key", bound.publicKey())
        .param("sequence", bound.sequence())
        .update();
  }

  void remove(String name) {
    trail.change(
        () -> db.sql("delete from gateway where name = :name").param("name", name).update());
  }

  Map<String, Bound> all() {
    Map<String, Bound> all = new HashMap<>();
    db.sql("select * from gateway")
        .query(row -> {
          all.put(
              row.getString("name"),
              new Bound(row.getString("public_key"), row.getLong("sequence")));
        });
    return all;
  }
}
