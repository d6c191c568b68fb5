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

/** Store of invitations across restarts of the orchestrator. */
@Component
class InvitationStore {
  private final JdbcClient db;
  private final KeyStore keys;
  private final AuditTrail trail;

  InvitationStore(JdbcClient db, KeyStore keys, AuditTrail trail) {
    this.db = db;
    this.keys = keys;
    this.trail = trail;
  }

  void insert(StoredInvitation one) {
    trail.change(one.id().toString(), () -> write(one));
  }

  private void write(StoredInvitation one) {
    db.sql(
            """
            insert into invitation
              (id, name, role, digest, created_at, created_by, expires_at, key_expires_at)
            values (:id, :name, :role, :digest, :created, :by, :expires, :end)\
            """)
        .param("id", one.id())
        .param("name", one.name())
        .param("role", one.role().name())
        .param("digest", one.digest())
        .param("created", Columns.time(one.createdAt()))
        .param("by", one.createdBy())
        .param("expires", Columns.time(one.expiresAt()))
        .param("end", Columns.timeOrNull(one.keyExpiresAt()))
        .update();
  }

  /**
   * Stores an invitation as used together with its key, in one transaction.
   *
   * @param before the key that it gave before; null for none
   */
  void use(StoredInvitation used, @Nullable UUID before, StoredKey key) {
    trail.change(
        used.name(),
        () -> {
          db.sql(
                  """
                  update invitation set used_by = :by, used_at = :at, api_key = :key
                  where id = :id\
                  """)
              .param("by", used.usedBy())
              .param("at", Columns.time(Objects.requireNonNull(used.usedAt())))
              .param("key", used.apiKey())
              .param("id", used.id())
              .update();
          keys.swap(before, key);
        });
  }

  void remove(UUID id) {
    trail.change(() -> db.sql("delete from invitation where id = :id").param("id", id).update());
  }

  void removeEnded(Instant before) {
    db.sql("delete from invitation where expires_at <= :before")
        .param("before", Columns.time(before))
        .update();
  }

  List<StoredInvitation> all() {
    return db.sql("select * from invitation order by created_at, id")
        .query((row, _) -> read(row))
        .list();
  }

  private static StoredInvitation read(ResultSet row) throws SQLException {
    return new StoredInvitation(
        row.getObject("id", UUID.class),
        Objects.requireNonNull(row.getString("name")),
        Role.valueOf(row.getString("role")),
        Objects.requireNonNull(row.getString("digest")),
        Columns.time(row, "created_at"),
        Objects.requireNonNull(row.getString("created_by")),
        Columns.time(row, "expires_at"),
        Columns.timeOrNull(row, "key_expires_at"),
        row.getString("used_by"),
        Columns.timeOrNull(row, "used_at"),
        row.getObject("api_key", UUID.class));
  }
}
