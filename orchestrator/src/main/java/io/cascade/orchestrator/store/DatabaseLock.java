package io.cascade.orchestrator.store;

import io.cascade.command.CommandException;
import io.cascade.orchestrator.time.PeriodicTask;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right of one orchestrator to a database, a PostgreSQL session's advisory lock: it ends with
 * the session, so nothing is left to clear away after a crash. Where the session broke because the
 * server was started again, the lock is taken again.
 */
final class DatabaseLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseLock.class);
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final int VALID_WITHIN_SECONDS = 5;

  /** "cascade" in ASCII; any number that nobody else takes. */
  private static final long LOCK = 0x63_61_73_63_61_64_65L;

  private final @Nullable DataSource source;
  private @Nullable Connection session;
  private @Nullable PeriodicTask task;
  private boolean refused;
  private boolean away;

  private DatabaseLock(@Nullable DataSource source, @Nullable Connection session) {
    this.source = source;
    this.session = session;
  }

  /** The use of a database that nobody else can open anyway. */
  static DatabaseLock granted() {
    return new DatabaseLock(null, null);
  }

  /**
   * Takes the lock.
   *
   * @throws CommandException when another orchestrator has it
   */
  static DatabaseLock of(DataSource source, PostgresServer server) {
    Connection session;
    try {
      session = lock(source);
    } catch (SQLException e) {
      throw new CommandException("--database " + server + ": " + e.getMessage(), e);
    }
    if (session == null) {
      throw new CommandException(
          "--database "
              + server
              + ": another orchestrator uses it; stop that one, or give another database");
    }
    return new DatabaseLock(source, session);
  }

  /** A session that holds the lock; null where another one does. */
  private static @Nullable Connection lock(DataSource source) throws SQLException {
    Connection session = source.getConnection();
    try (Statement statement = session.createStatement();
        ResultSet answer = statement.executeQuery("select pg_try_advisory_lock(" + LOCK + ")")) {
      answer.next();
      if (answer.getBoolean(1)) {
        return session;
      }
    } catch (SQLException e) {
      session.close();
      throw e;
    }
    session.close();
    return null;
  }

  /**
   * Looks after the lock from now on.
   *
   * @param lost called once when another orchestrator has taken it
   */
  void keep(Runnable lost) {
    if (source != null) {
      task = PeriodicTask.every(ROUND, "sole-use", () -> look(source, lost));
    }
  }

  private synchronized void look(DataSource from, Runnable lost) {
    if (refused) {
      return;
    }
    try {
      if (session != null && session.isValid(VALID_WITHIN_SECONDS)) {
        return;
      }
      if (session != null) {
        LOG.warn("the session with the database broke, and with it the lock");
        Connection broken = session;
        session = null;
        broken.close();
      }
      session = lock(from);
    } catch (SQLException e) {
      if (!away) {
        away = true;
        LOG.warn("the database is away: {}", e.getMessage());
      }
      return;
    }
    away = false;
    if (session == null) {
      refused = true;
      LOG.error("another orchestrator uses the database now: this one ends");
      lost.run();
    } else {
      LOG.info("the database is back, and the lock was taken again");
    }
  }

  /** Whether the session still stands; asked once, by whoever is about to use the database. */
  synchronized void check() {
    try {
      if (session != null && !session.isValid(VALID_WITHIN_SECONDS)) {
        throw new CommandException("--database: the connection that holds the lock is gone");
      }
    } catch (SQLException e) {
      throw new CommandException("--database: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (task != null) {
      task.close();
    }
    synchronized (this) {
      if (session != null) {
        try (Statement statement = session.createStatement()) {
          // The session goes back to a pool, which would keep the lock with it.
          statement.execute("select pg_advisory_unlock(" + LOCK + ")");
        } finally {
          session.close();
        }
      }
    }
  }
}
