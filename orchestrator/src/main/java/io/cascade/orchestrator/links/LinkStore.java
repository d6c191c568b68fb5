package io.cascade.orchestrator.links;

import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Rows;
import io.cascade.orchestrator.store.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Store of the latest counts of every link, so that a restarted orchestrator can plan at once. */
@Component
class LinkStore {
  private final JdbcClient db;
  private final Transactions transactions;

  LinkStore(JdbcClient db, Transactions transactions) {
    this.db = db;
    this.transactions = transactions;
  }

  /** Evidence of one link. */
  record Known(LinkWindow.Counts counts, Transfers transfers) {}

  /**
   * Stores the links of one relay, all or none. One transaction, since each would cost a write to
   * disk.
   */
  void save(String from, Map<String, Known> links) {
    transactions.run(() -> links.forEach((to, known) -> save(from, to, known)));
  }

  private void save(String from, String to, Known known) {
    Rows.save(
        db,
        """
        update link set counted = :counted, transfers = :transfers, updated_at = :updated
        where from_relay = :from and to_relay = :to\
        """,
        """
        insert into link (from_relay, to_relay, counted, transfers, updated_at)
        values (:from, :to, :counted, :transfers, :updated)\
        """,
        row ->
            row.param("from", from)
                .param("to", to)
                .param("counted", Columns.json(known.counts()))
                .param("transfers", Columns.json(known.transfers()))
                .param("updated", Columns.time(known.counts().updatedAt())));
  }

  /** Removes the links of a forgotten relay, in both directions. */
  void remove(String relay) {
    db.sql("delete from link where from_relay = :relay or to_relay = :relay")
        .param("relay", relay)
        .update();
  }

  List<StoredLink> all() {
    return db.sql("select * from link")
        .query((row, _) ->
            new StoredLink(
                row.getString("from_relay"),
                row.getString("to_relay"),
                Objects.requireNonNull(Columns.json(row, "counted", LinkWindow.Counts.class)),
                Objects.requireNonNullElse(
                    Columns.json(row, "transfers", Transfers.class), Transfers.NONE)))
        .list();
  }

  record StoredLink(String from, String to, LinkWindow.Counts counts, Transfers transfers) {}
}
