package io.cascade.orchestrator.tls;

import io.cascade.api.identity.KeyPins;
import io.cascade.orchestrator.time.PeriodicTask;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The pins of all orchestrators that share a database. Each stores its own there, and switches to
 * its next key when the leader has ordered a rotation, once for all orders that it missed: a client
 * that knows its two keys accepts it afterwards. The leader's answers contain all pins that were
 * stored in the past day, so that callers need not call the standbys. Private keys never leave
 * their orchestrator.
 */
public final class ClusterPins implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPins.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final JdbcClient db;
  private final ServerCertificate certificate;
  private volatile String pinsOfAll = "";
  private @Nullable PeriodicTask task;
  private boolean failed;

  /**
   * @param source connections to the shared database
   */
  public ClusterPins(DataSource source, ServerCertificate certificate) {
    this.db = JdbcClient.create(source);
    this.certificate = certificate;
  }

  /** Starts to check for orders periodically. */
  public void watch() {
    task = PeriodicTask.every(LOOK, "cluster-pins", this::lookOnce);
  }

  private void lookOnce() {
    try {
      look();
      failed = false;
    } catch (DataAccessResourceFailureException | BadSqlGrammarException e) {
      // The database is unreachable, which the election logs, or does not have the table yet.
    } catch (RuntimeException e) {
      if (!failed) {
        LOG.warn("the keys of the other orchestrators are not known: {}", e.toString());
      }
      failed = true;
    }
  }

  /**
   * Gives an order, which this orchestrator follows at once and the others within seconds.
   *
   * @param order stores one more order
   */
  void rotate(Runnable order) {
    look(); // a new orchestrator must not follow orders that were given before it was known
    order.run();
    look();
  }

  /**
   * Follows the last order, and reads the others' pins.
   *
   * @throws DataAccessException if the database does not answer
   */
  synchronized void look() {
    long ordered = db.sql("select rotation from leadership").query(Long.class).single();
    KeyPins own = certificate.pins();
    if (own != null) {
      keep(own, ordered);
    }
    pinsOfAll =
        rows().stream()
            .filter(Row::isAlive)
            .limit(KeyPins.MOST_SERVERS)
            .map(Row::pins)
            .map(KeyPins::toString)
            .collect(Collectors.joining(" "));
  }

  private void keep(KeyPins own, long ordered) {
    Row row = rows().stream().filter(one -> one.isOf(own)).findFirst().orElse(null);
    if (row == null) {
      db.sql("delete from server_pins where seen_at < current_timestamp - interval '30' day")
          .update();
      db.sql(
              "insert into server_pins (pins, rotation, seen_at) values (:pins, :rotation, current_timestamp)")
          .param("pins", own.toString())
          .param("rotation", ordered)
          .update();
      return;
    }
    KeyPins shown = own;
    // If the stored pins differ, its key has changed already and the process ended before it could
    // store that.
    if (row.rotation() < ordered && row.pins().equals(own) && certificate.isSelfMade()) {
      certificate.rotate();
      shown = Objects.requireNonNull(certificate.pins());
    }
    if (row.isOld() || row.rotation() < ordered || !row.pins().equals(shown)) {
      db.sql(
              """
              update server_pins set pins = :pins, rotation = :rotation, seen_at = current_timestamp
              where pins = :before\
              """)
          .param("pins", shown.toString())
          .param("rotation", ordered)
          .param("before", row.pins().toString())
          .update();
    }
  }

  /** The rows, most recently seen first. */
  private List<Row> rows() {
    return db.sql(
            """
            select pins, rotation, seen_at < current_timestamp - interval '1' minute as old,
              seen_at > current_timestamp - interval '1' day as alive
            from server_pins order by seen_at desc, pins limit 1000\
            """)
        .query((row, _) ->
            new Row(
                KeyPins.parse(row.getString("pins")),
                row.getLong("rotation"),
                row.getBoolean("old"),
                row.getBoolean("alive")))
        .list();
  }

  /** Pins of all, in the header's form; empty before they are known. */
  public String pinsOfAll() {
    return pinsOfAll;
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }

  /**
   * Row of an orchestrator.
   *
   * @param rotation the last order that it followed
   * @param isOld whether it was seen more than a minute ago
   * @param isAlive whether it was seen in the past day
   */
  private record Row(KeyPins pins, long rotation, boolean isOld, boolean isAlive) {
    /** Whether the row belongs to the orchestrator with these pins: keys are unique. */
    boolean isOf(KeyPins own) {
      return pins.sha256().stream().anyMatch(own.sha256()::contains);
    }
  }
}
