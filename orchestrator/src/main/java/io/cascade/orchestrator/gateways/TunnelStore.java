package io.cascade.orchestrator.gateways;

import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.store.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of tunnels across restarts of the orchestrator. */
@Component
class TunnelStore {
  private final JdbcClient db;
  private final AuditTrail trail;

  TunnelStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  void save(InstalledTunnel tunnel) {
    trail.change(
        tunnel.id().toString(),
        () ->
            db.sql("insert into tunnel (id, opened_at, document) values (:id, :opened, :document)")
                .param("id", tunnel.id())
                .param("opened", Columns.time(tunnel.openedAt()))
                .param("document", Columns.json(tunnel))
                .update());
  }

  void remove(UUID id) {
    trail.change(() -> db.sql("delete from tunnel where id = :id").param("id", id).update());
  }

  /** All tunnels, oldest first. */
  List<InstalledTunnel> all() {
    return db.sql("select * from tunnel order by opened_at, id")
        .query((row, _) -> read(row))
        .list();
  }

  private static InstalledTunnel read(ResultSet row) throws SQLException {
    return Objects.requireNonNull(Columns.json(row, "document", InstalledTunnel.class));
  }
}
