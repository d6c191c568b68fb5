package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of relays across restarts of the orchestrator. */
@Component
class RelayStore {
  private final JdbcClient db;
  private final AuditTrail trail;

  RelayStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  void save(RegisteredRelay relay) {
    trail.change(relay.name(), () -> write(relay));
  }

  private void write(RegisteredRelay relay) {
    Rows.save(
        db,
        """
        update relay set instance = :instance, registration = :registration,
          restarts = :restarts, registered_at = :registered, last_seen_at = :seen,
          stopped = false
        where name = :name\
        """,
        """
        insert into relay (name, instance, registration, restarts, registered_at, last_seen_at)
        values (:name, :instance, :registration, :restarts, :registered, :seen)\
        """,
        row ->
            row.param("name", relay.name())
                .param("instance", relay.instance())
                .param("registration", Columns.json(relay.registration()))
                .param("restarts", relay.restarts())
                .param("registered", Columns.time(relay.registeredAt()))
                .param("seen", Columns.time(relay.lastSeenAt())));
  }

  /**
   * Records whether the relay has announced that it stops; saving it again records that it is back.
   */
  void stopped(String name, boolean stopped) {
    trail.change(() ->
        db.sql("update relay set stopped = :stopped where name = :name")
            .param("stopped", stopped)
            .param("name", name)
            .update());
  }

  void drained(String name, boolean drained) {
    trail.change(() ->
        db.sql("update relay set drained = :drained where name = :name")
            .param("drained", drained)
            .param("name", name)
            .update());
  }

  /** Names of the drained relays. */
  List<String> drained() {
    return db.sql("select name from relay where drained")
        .query((row, _) -> Objects.requireNonNull(row.getString("name")))
        .list();
  }

  void remove(String name) {
    trail.change(() -> db.sql("delete from relay where name = :name").param("name", name).update());
  }

  /**
   * @param from time from which their silence counts, in steady time
   */
  List<RegisteredRelay> all(Instant from) {
    return db.sql("select * from relay order by name")
        .query((row, _) ->
            new RegisteredRelay(
                Objects.requireNonNull(Columns.json(row, "registration", RelayRegistration.class)),
                row.getBoolean("stopped") ? RelayStatus.STOPPED : RelayStatus.UP,
                Columns.time(row, "registered_at"),
                Columns.time(row, "last_seen_at"),
                from,
                row.getInt("restarts"),
                0,
                0,
                null))
        .list();
  }
}
