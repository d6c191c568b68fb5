package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.store.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of API keys across restarts of the orchestrator. */
@Component
class KeyStore {
  private final JdbcClient db;
  private final AuditTrail trail;

  KeyStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  void insert(StoredKey key) {
    trail.change(key.id().toString(), () -> write(key));
  }

  private void write(StoredKey key) {
    db.sql(
            """
            insert into api_key
              (id, name, role, digest, control_token, created_at, created_by, expires_at, relay_key)
            values (:id, :name, :role, :digest, :control, :created, :by, :expires, :relay)\
            """)
        .param("id", key.id())
        .param("name", key.name())
        .param("role", key.role().name())
        .param("digest", key.digest())
        .param("control", key.controlToken())
        .param("created", Columns.time(key.createdAt()))
        .param("by", key.createdBy())
        .param("expires", Columns.timeOrNull(key.expiresAt()))
        .param("relay", key.relayKey())
        .update();
  }

  void remove(UUID id) {
    trail.change(() -> delete(id));
  }

  private void delete(UUID id) {
    db.sql("delete from api_key where id = :id").param("id", id).update();
  }

  void removeEnded(Instant before) {
    db.sql("delete from api_key where expires_at <= :before")
        .param("before", Columns.time(before))
        .update();
  }

  /**
   * Stores a key in place of another one, within the caller's transaction.
   *
   * @param before null for none
   */
  void swap(@Nullable UUID before, StoredKey key) {
    if (before != null) {
      delete(before);
    }
    write(key);
  }

  void used(UUID id, Instant at) {
    db.sql("update api_key set last_used_at = :at where id = :id")
        .param("at", Columns.time(at))
        .param("id", id)
        .update();
  }

  /** All keys, oldest first. */
  List<StoredKey> all() {
    return db.sql("select * from api_key order by created_at, id")
        .query((row, _) -> read(row))
        .list();
  }

  private static StoredKey read(ResultSet row) throws SQLException {
    return new StoredKey(
        row.getObject("id", UUID.class),
        Objects.requireNonNull(row.getString("name")),
        Role.valueOf(row.getString("role")),
        Objects.requireNonNull(row.getString("digest")),
        row.getString("control_token"),
        Columns.time(row, "created_at"),
        Objects.requireNonNull(row.getString("created_by")),
        Columns.timeOrNull(row, "expires_at"),
        row.getString("relay_key"),
        Columns.timeOrNull(row, "last_used_at"));
  }
}
