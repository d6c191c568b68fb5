package io.cascade.orchestrator.store;

import io.cascade.orchestrator.leadership.Tenure;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Writes in one epoch alone. Each write and the look for the epoch are one transaction, and whoever
 * takes the leader's seat waits until that has ended: so nothing is written of a tenure that is
 * over, however long the write was on its way.
 */
final class FencedJdbc extends JdbcTemplate {
  private final Transactions transactions;
  private final Tenure tenure;
  private final String look;

  FencedJdbc(StateDatabase database, Transactions transactions, Tenure tenure) {
    super(database.source());
    this.transactions = transactions;
    this.tenure = tenure;
    // Nobody can take the seat of a file that is open, and H2 has no such lock.
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
