package io.cascade.orchestrator.leadership;

import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The seat as a row of a table.
 *
 * <p>Epochs are milliseconds of the database's time of day, and always greater than the previous
 * one. So the epoch of a leader over a restored copy, or over a new database, is also greater than
 * those that relays have seen.
 */
final class SeatTable implements Seat {
  private final JdbcClient db;
  private final TransactionTemplate transactions;
  private final boolean isExclusive;
  private final LongSupplier nanos;

  /** The last renewal that was seen, if its time lies in the future. */
  private @Nullable Future future;

  /**
   * A renewal at a time later than the database's present time, since that clock was set back.
   *
   * @param seenAt when it was first seen, by the monotonic clock
   */
  private record Future(OffsetDateTime renewedAt, long seenAt) {}

  /**
   * @param nanos the monotonic clock
   */
  SeatTable(DataSource source, boolean isExclusive, LongSupplier nanos) {
    this.db = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.isExclusive = isExclusive;
    this.nanos = nanos;
  }

  /** Not thread-safe: used by one thread at a time. */
  @Override
  public Holder take(UUID holder, String address) {
    // A process with exclusive access need not wait: the process that had the seat is gone.
    String free =
        isExclusive
            ? "true"
            : """
            (holder is null or renewed_at < current_timestamp - interval '%d' second
              or renewed_at = :abandoned)\
            """
                .formatted(Tenure.LENGTH.toSeconds());
    return inTransaction(() -> {
      OffsetDateTime abandoned = isExclusive ? null : abandoned();
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
          .param("abandoned", abandoned, Types.TIMESTAMP_WITH_TIMEZONE)
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

  /**
   * A renewal in the future that was not followed by another one for the length of a tenure; null
   * if there is none. A live leader renews its seat soon after the database's clock was set back.
   */
  private @Nullable OffsetDateTime abandoned() {
    OffsetDateTime renewedAt =
        db.sql(
                """
                select renewed_at from leadership
                where holder is not null and renewed_at > current_timestamp + interval '%d' second\
                """
                    .formatted(Tenure.LENGTH.toSeconds()))
            .query((row, _) -> row.getObject("renewed_at", OffsetDateTime.class))
            .optional()
            .orElse(null);
    long now = nanos.getAsLong();
    Future before = future;
    if (renewedAt == null) {
      future = null;
      return null;
    }
    if (before == null || !before.renewedAt.isEqual(renewedAt)) {
      future = new Future(renewedAt, now);
      return null;
    }
    return now - before.seenAt >= Tenure.LENGTH.toNanos() ? renewedAt : null;
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
