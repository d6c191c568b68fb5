package io.cascade.orchestrator.store;

import io.cascade.orchestrator.leadership.Tenure;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Writes in one epoch only. Each write and the check of the epoch are one transaction, and a
 * process that takes the leader's seat waits for its end: no write of a tenure takes effect after
 * that tenure, however late it arrives.
 */
final class FencedJdbc extends JdbcTemplate {
  private final Transactions transactions;
  private final Tenure tenure;
  private final String look;

  FencedJdbc(StateDatabase database, Transactions transactions, Tenure tenure) {
    super(database.source());
    this.transactions = transactions;
    this.tenure = tenure;
    // No other process can take the seat of an open file, and H2 has no such lock.
    this.look =
        "select epoch from leadership where epoch = ?"
            + (database.isShared() ? " for key share" : "");
  }

  @Override
  protected int update(PreparedStatementCreator creator, @Nullable PreparedStatementSetter setter) {
    if (!tenure.isHeld()) {
      throw new LeadsNoMore();
    }
    int[] rows = {0};
    transactions.run(() -> {
      if (queryForList(look, Long.class, tenure.epoch()).isEmpty()) {
        throw new LeadsNoMore();
      }
      rows[0] = super.update(creator, setter);
    });
    return rows[0];
  }
}
