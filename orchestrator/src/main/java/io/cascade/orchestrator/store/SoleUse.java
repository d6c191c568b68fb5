package io.cascade.orchestrator.store;

import io.cascade.command.Complaint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The right of one orchestrator to a database, a PostgreSQL session's advisory lock: it ends with
 * the session, so nothing is left to clear away after a crash.
 */
final class SoleUse implements AutoCloseable {
  /** "cascade" in ASCII; any number that nobody else takes. */
  private static final long LOCK = 0x63_61_73_63_61_64_65L;

  private final @Nullable Connection session;

  private SoleUse(@Nullable Connection session) {
    this.session = session;
  }

  /** Of a database that nobody else can open anyway. */
  static SoleUse granted() {
    return new SoleUse(null);
  }

  /**
   * Takes the lock.
   *
   * @throws Complaint when another orchestrator has it
   */
  static SoleUse of(DataSource source, PostgresServer server) {
    try {
      Connection session = source.getConnection();
      try (Statement statement = session.createStatement();
          ResultSet answer = statement.executeQuery("select pg_try_advisory_lock(" + LOCK + ")")) {
        answer.next();
        if (answer.getBoolean(1)) {
          return new SoleUse(session);
        }
      }
      session.close();
    } catch (SQLException e) {
      throw new Complaint("--database " + server + ": " + e.getMessage(), e);
    }
    throw new Complaint(
        "--database "
            + server
            + ": another orchestrator uses it; stop that one, or give another database");
  }

  /** Whether the session still stands; asked once, by whoever is about to use the database. */
  void check() {
    try {
      if (session != null && !session.isValid(5)) {
        throw new Complaint("--database: the connection that holds the lock is gone");
      }
    } catch (SQLException e) {
      throw new Complaint("--database: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws SQLException {
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
