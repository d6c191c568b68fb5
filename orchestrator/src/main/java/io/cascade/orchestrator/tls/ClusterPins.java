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
 * The pins of all orchestrators that share a database. Each keeps its own there, and shows its next
 * key when the leader has ordered a rotation, once for all orders that it missed: whoever knows its
 * two keys accepts it afterwards. The leader's answers tell callers of all pins that were kept in
 * the past day, so that they need not call those that stand by. Private keys stay where they were
 * made.
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
   * @param source of the database that the orchestrators share
   */
  public ClusterPins(DataSource source, ServerCertificate certificate) {
    this.db = JdbcClient.create(source);
    this.certificate = certificate;
  }

  /** Begins to look for orders. */
  public void watch() {
    task = PeriodicTask.every(LOOK, "cluster-pins", this::lookOnce);
  }

  private void lookOnce() {
    try {
      look();
      failed = false;
    } catch (DataAccessResourceFailureException | BadSqlGrammarException e) {
      // The database is away, which the election tells of, or has no such table yet.
    } catch (RuntimeException e) {
      if (!failed) {
        LOG.warn("the keys of the other orchestrators are not known: {}", e.toString());
      }
      failed = true;
    }
  }

  /**
   * Has this orchestrator follow an order as soon as it is given, and the others in seconds.
   *
   * @param order writes that there is one more
   */
  void rotate(Runnable order) {
    look(); // an order that came before an orchestrator was known is not for it
    order.run();
    look();
  }

  /**
   * Follows the last order, and learns of the others' pins.
   *
   * @throws DataAccessException where the database does not answer
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
    // Other pins than are kept: its key has changed, and it ended before it could say so.
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

  /** Those that were seen last first. */
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

  /** Pins of all, as the header has them; empty before they are known. */
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
   * What is kept of an orchestrator.
   *
   * @param rotation the last order that it followed
   * @param isOld whether it was seen more than a minute ago
   * @param isAlive whether it was seen in the past day
   */
  private record Row(KeyPins pins, long rotation, boolean isOld, boolean isAlive) {
    /** Nobody else has one of its keys. */
    boolean isOf(KeyPins own) {
      return pins.sha256().stream().anyMatch(own.sha256()::contains);
    }
  }
}
