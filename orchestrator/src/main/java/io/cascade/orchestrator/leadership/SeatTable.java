package io.cascade.orchestrator.leadership;

import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The seat as the row of a table.
 *
 * <p>Epochs are milliseconds of the database's time of day, and always greater than the last one:
 * so that of a leader over a copy that was restored, or over a new database, is greater than those
 * that relays have heard of, too.
 */
final class SeatTable implements Seat {
  private final JdbcClient db;
  private final TransactionTemplate transactions;
  private final boolean isExclusive;

  SeatTable(DataSource source, boolean isExclusive) {
    this.db = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.isExclusive = isExclusive;
  }

  @Override
  public Holder take(UUID holder, String address) {
    // Whoever holds a file alone need not wait: the process that had the seat is gone.
    String free =
        isExclusive
            ? "true"
            // One of a later time than now was kept before the database's clock was set back.
            : """
            (holder is null or renewed_at < current_timestamp - interval '%1$d' second
              or renewed_at > current_timestamp + interval '%1$d' second)\
            """
                .formatted(Tenure.LENGTH.toSeconds());
    return inTransaction(() -> {
      db.sql(
              """
              update leadership set
                epoch = greatest(epoch + 1, cast(extract(epoch from current_timestamp) * 1000 as bigint)),
                holder = :holder, address = :address, renewed_at = current_timestamp
              where \
              """
                  + free)
          .param("holder", holder)
          .param("address", address)
          .update();
      return db.sql("select epoch, holder, address from leadership")
          .query((row, _) ->
              new Holder(
                  row.getLong("epoch"),
                  holder.equals(row.getObject("holder", UUID.class)),
                  row.getString("address")))
          .single();
    });
  }

  @Override
  public boolean renew(long epoch, UUID holder, String address) {
    return db.sql(
                """
                update leadership set renewed_at = current_timestamp, address = :address
                where epoch = :epoch and holder = :holder\
                """)
            .param("address", address)
            .param("epoch", epoch)
            .param("holder", holder)
            .update()
        == 1;
  }

  @Override
  public void leave(long epoch, UUID holder) {
    db.sql(
            """
            update leadership set holder = null, address = null
            where epoch = :epoch and holder = :holder\
            """)
        .param("epoch", epoch)
        .param("holder", holder)
        .update();
  }

  @Override
  public boolean isExclusive() {
    return isExclusive;
  }

  private Holder inTransaction(Supplier<Holder> steps) {
    try {
      return Objects.requireNonNull(transactions.execute(_ -> steps.get()));
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("no transaction", e);
    }
  }
}
