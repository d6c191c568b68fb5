package io.cascade.orchestrator.corrections;

import io.cascade.model.calibration.Correction;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.corrections.CorrectionBook.Link;
import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Rows;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of corrections across restarts of the orchestrator. */
@Component
class CorrectionStore {
  private final JdbcClient db;
  private final AuditTrail trail;

  CorrectionStore(JdbcClient db, AuditTrail trail) {
    this.db = db;
    this.trail = trail;
  }

  void save(Link link, Correction correction) {
    Rows.save(
        db,
        """
        update correction set log_ratio = :ratio, evidence = :evidence, outcomes = :outcomes,
          updated_at = :updated
        where from_relay = :from and to_relay = :to and congestion_control = :control\
        """,
        """
        insert into correction (from_relay, to_relay, congestion_control, log_ratio, evidence,
          outcomes, updated_at)
        values (:from, :to, :control, :ratio, :evidence, :outcomes, :updated)\
        """,
        row ->
            row.param("from", link.from())
                .param("to", link.to())
                .param("control", link.control())
                .param("ratio", correction.logRatio())
                .param("evidence", correction.evidence())
                .param("outcomes", correction.outcomes())
                .param("updated", Columns.time(correction.updatedAt())));
  }

  void clear() {
    trail.change(() -> db.sql("delete from correction").update());
  }

  void remove(String from, String to) {
    trail.change(() ->
        db.sql("delete from correction where from_relay = :from and to_relay = :to")
            .param("from", from)
            .param("to", to)
            .update());
  }

  /** Removes the corrections of a forgotten relay, in both directions. */
  void remove(String relay) {
    db.sql("delete from correction where from_relay = :relay or to_relay = :relay")
        .param("relay", relay)
        .update();
  }

  Map<Link, Correction> all() {
    Map<Link, Correction> all = new HashMap<>();
    db.sql("select * from correction")
        .query(row -> {
          all.put(
              new Link(
                  row.getString("from_relay"),
                  row.getString("to_relay"),
                  row.getString("congestion_control")),
              new Correction(
                  row.getDouble("log_ratio"),
                  row.getDouble("evidence"),
                  row.getLong("outcomes"),
                  Columns.time(row, "updated_at")));
        });
    return all;
  }
}
