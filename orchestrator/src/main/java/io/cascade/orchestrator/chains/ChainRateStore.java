package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Table of what chains have carried, across restarts of the orchestrator. */
@Component
class ChainRateStore {
  /** Rows of one statement: it has four parameters for each, and a server takes 32,767. */
  private static final int MOST_ROWS = 1_000;

  private final JdbcClient db;
  private final Transactions transactions;

  ChainRateStore(JdbcClient db, Transactions transactions) {
    this.db = db;
    this.transactions = transactions;
  }

  /**
   * What a chain carried in a span; times are of the day.
   *
   * @param chain all zeros for all chains together
   */
  record Row(UUID chain, CarriedBytes.Carried carried) {}

  /** Adds rows and removes those of before a moment, all or none. */
  void add(List<Row> rows, Instant moment) {
    transactions.run(() -> {
      for (int from = 0; from < rows.size(); from += MOST_ROWS) {
        insert(rows.subList(from, Math.min(rows.size(), from + MOST_ROWS)));
      }
      db.sql("delete from chain_rate where span_start < :moment")
          .param("moment", Columns.time(moment))
          .update();
    });
  }

  private void insert(List<Row> rows) {
    List<Object> values = new ArrayList<>();
    for (Row row : rows) {
      values.add(row.chain());
      values.add(Columns.time(row.carried().start()));
      values.add(row.carried().forwardBytes());
      values.add(row.carried().backwardBytes());
    }
    db.sql(
            "insert into chain_rate (chain_id, span_start, forward_bytes, backward_bytes) values "
                + String.join(", ", Collections.nCopies(rows.size(), "(?, ?, ?, ?)")))
        .params(values)
        .update();
  }

  /** All of spans that began since a moment. */
  List<Row> since(Instant moment) {
    return db.sql("select * from chain_rate where span_start >= :moment")
        .param("moment", Columns.time(moment))
        .query((row, _) ->
            new Row(
                row.getObject("chain_id", UUID.class),
                new CarriedBytes.Carried(
                    Columns.time(row, "span_start"),
                    row.getDouble("forward_bytes"),
                    row.getDouble("backward_bytes"))))
        .list();
  }
}
