package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.store.Columns;
import io.cascade.orchestrator.store.Transactions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Tables of what chains have carried, across restarts of the orchestrator. */
@Component
class ChainRateStore {
  /**
   * Rows per statement and per fetch. A row has four parameters, and a statement may have 32,767.
   */
  private static final int MOST_ROWS = 1_000;

  private final JdbcClient db;
  private final Transactions transactions;

  ChainRateStore(JdbcClient db, Transactions transactions) {
    this.db = db;
    this.transactions = transactions;
  }

  /**
   * Bytes that a chain carried in a span; times are of the day.
   *
   * @param chain all zeros for all chains together
   */
  record Row(UUID chain, CarriedBytes.Carried carried) {}

  /**
   * Replaces rows, all or none.
   *
   * @param from rows of spans that began then or later are replaced: some are incomplete, or were
   *     stored by a call whose answer was lost
   * @param oldest rows of spans that began before are removed
   */
  void replace(RateResolution resolution, Instant from, List<Row> rows, Instant oldest) {
    String table = resolution.table();
    transactions.run(() -> {
      // Two statements, so that each uses the index.
      db.sql("delete from " + table + " where span_start >= :from")
          .param("from", Columns.time(from))
          .update();
      db.sql("delete from " + table + " where span_start < :oldest")
          .param("oldest", Columns.time(oldest))
          .update();
      for (int next = 0; next < rows.size(); next += MOST_ROWS) {
        insert(table, rows.subList(next, Math.min(rows.size(), next + MOST_ROWS)));
      }
    });
  }

  private void insert(String table, List<Row> rows) {
    List<Object> values = new ArrayList<>();
    for (Row row : rows) {
      values.add(row.chain());
      values.add(Columns.time(row.carried().start()));
      values.add(row.carried().forwardBytes());
      values.add(row.carried().backwardBytes());
    }
    db.sql(
            "insert into "
                + table
                + " (chain_id, span_start, forward_bytes, backward_bytes) values "
                + String.join(", ", Collections.nCopies(rows.size(), "(?, ?, ?, ?)")))
        .params(values)
        .update();
  }

  /**
   * Passes on the stored rows of the wanted chains, for spans that began since a moment, row by
   * row: a day has hundreds for each chain, including those that have ended. Rows of spans that
   * begin after now are removed: the clock was set back since, so their true time is unknown.
   *
   * @param wanted chains whose rows are passed on
   */
  void restore(
      RateResolution resolution,
      Instant oldest,
      Instant now,
      Predicate<UUID> wanted,
      Consumer<Row> to) {
    String table = resolution.table();
    db.sql("delete from " + table + " where span_start > :now")
        .param("now", Columns.time(now))
        .update();
    // Outside of a transaction PostgreSQL sends all rows at once.
    transactions.run(() ->
        db.sql("select * from " + table + " where span_start >= :oldest")
            .withFetchSize(MOST_ROWS)
            .param("oldest", Columns.time(oldest))
            .query(row -> {
              UUID chain = row.getObject("chain_id", UUID.class);
              if (wanted.test(chain)) {
                to.accept(
                    new Row(
                        chain,
                        new CarriedBytes.Carried(
                            Columns.time(row, "span_start"),
                            row.getDouble("forward_bytes"),
                            row.getDouble("backward_bytes"))));
              }
            }));
  }
}
