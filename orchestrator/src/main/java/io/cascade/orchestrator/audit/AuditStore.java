package io.cascade.orchestrator.audit;

import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.store.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Entries of the trail in the database. */
@Component
class AuditStore {
  private static final int MOST_OBJECT = 300;

  private final JdbcClient db;

  AuditStore(JdbcClient db) {
    this.db = db;
  }

  void insert(long id, Instant at, AuditedCall call, @Nullable Integer outcome) {
    String object = call.object();
    db.sql(
            """
            insert into audit_entry (id, at, caller, role, operation, object, outcome, address, request_id)
            values (:id, :at, :caller, :role, :operation, :object, :outcome, :address, :request)\
            """)
        .param("id", id)
        .param("at", Columns.time(at))
        .param("caller", call.caller())
        .param("role", call.role())
        .param("operation", call.operation())
        .param(
            "object",
            object == null ? null : object.substring(0, Math.min(object.length(), MOST_OBJECT)))
        .param("outcome", outcome)
        .param("address", call.address())
        .param("request", call.requestId())
        .update();
  }

  void finish(long id, @Nullable String object, int outcome) {
    db.sql("update audit_entry set outcome = :outcome, object = :object where id = :id")
        .param("outcome", outcome)
        .param("object", object)
        .param("id", id)
        .update();
  }

  /** Number of the newest entry; 0 if there is none. */
  long newest() {
    return db.sql("select coalesce(max(id), 0) from audit_entry").query(Long.class).single();
  }

  long count() {
    return db.sql("select count(*) from audit_entry").query(Long.class).single();
  }

  /** Removes the entries between two times. */
  void remove(Instant after, Instant before) {
    db.sql("delete from audit_entry where at > :after and at < :before")
        .param("after", Columns.time(after))
        .param("before", Columns.time(before))
        .update();
  }

  /**
   * Time of the last entry before {@code aged} that is followed by a period of {@code gap} without
   * entries; null if there is none.
   */
  @Nullable Instant lastBeforeGap(Instant aged, Instant now, Duration gap) {
    Instant next =
        db.sql("select min(at) as at from audit_entry where at >= :aged and at <= :now")
            .param("aged", Columns.time(aged))
            .param("now", Columns.time(now))
            .query((row, _) -> Optional.ofNullable(Columns.timeOrNull(row, "at")))
            .single()
            .orElse(now);
    return db.sql(
            """
            select max(at) as at from (
              select at, lead(at) over (order by at) as next from audit_entry where at < :aged
            ) aged
            where coalesce(next, cast(:next as timestamp with time zone))
              > at + cast(:days as integer) * interval '1' day\
            """)
        .param("aged", Columns.time(aged))
        .param("next", Columns.time(next))
        .param("days", gap.toDays())
        .query((row, _) -> Optional.ofNullable(Columns.timeOrNull(row, "at")))
        .single()
        .orElse(null);
  }

  /** The callers with entries, and how many each has. */
  List<AuditShares.Holder> holders() {
    return db.sql(
            """
            select caller, manages, count(*) as entries from (
              select caller, coalesce(role in ('ADMIN', 'OPERATOR'), false) as manages
              from audit_entry
            ) held
            group by caller, manages\
            """)
        .query((row, _) ->
            new AuditShares.Holder(
                Objects.requireNonNull(row.getString("caller")),
                row.getBoolean("manages"),
                row.getLong("entries")))
        .list();
  }

  /** Removes the oldest {@code count} entries of a holder. */
  void removeOldest(AuditShares.Holder holder, long count) {
    db.sql(
            """
            delete from audit_entry where id in (
              select id from audit_entry
              where caller = :caller and coalesce(role in ('ADMIN', 'OPERATOR'), false) = :manages
              order by id limit :count
            )\
            """)
        .param("caller", holder.caller())
        .param("manages", holder.manages())
        .param("count", count)
        .update();
  }

  /** The entries with numbers below {@code before}, newest first. */
  List<AuditEntry> list(long before, int limit) {
    return db.sql("select * from audit_entry where id < :before order by id desc limit :limit")
        .param("before", before)
        .param("limit", limit)
        .query((row, _) -> read(row))
        .list();
  }

  private static AuditEntry read(ResultSet row) throws SQLException {
    String role = row.getString("role");
    return AuditEntry.builder()
        .id(row.getLong("id"))
        .at(Columns.time(row, "at"))
        .caller(Objects.requireNonNull(row.getString("caller")))
        .role(role == null ? null : Role.valueOf(role))
        .operation(Objects.requireNonNull(row.getString("operation")))
        .target(row.getString("object"))
        .outcome(row.getObject("outcome", Integer.class))
        .address(Objects.requireNonNull(row.getString("address")))
        .requestId(row.getObject("request_id", UUID.class))
        .build();
  }
}
