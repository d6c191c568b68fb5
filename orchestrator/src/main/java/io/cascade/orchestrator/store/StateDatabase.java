package io.cascade.orchestrator.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.cascade.command.CommandException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database: by default an H2 file, which one process at a time can open, or a PostgreSQL
 * server, shared by several orchestrators of which one leads. The migrations are the same.
 */
public final class StateDatabase implements AutoCloseable {
  private static final String USER = "cascade";
  private static final int H2_IN_USE = 90020;
  private static final int H2_CLOSED = 90098;

  /** Time to wait for a server that is started together with this process. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration AWAY_AFTER = Duration.ofSeconds(2);
  private static final Duration SILENT_AFTER = Duration.ofSeconds(10);
  private static final Duration SEAT_SILENT_AFTER = Duration.ofSeconds(3);
  private static final Duration IN_TRANSACTION = Duration.ofSeconds(4);

  private final HikariDataSource source;
  private final HikariDataSource elections;
  private final @Nullable Path folder;

  private StateDatabase(
      HikariDataSource source, HikariDataSource elections, @Nullable Path folder) {
    this.source = source;
    this.elections = elections;
    this.folder = folder;
  }

  /**
   * Opens the database.
   *
   * @param server null for a file in the directory
   */
  public static StateDatabase open(StateDirectory directory, @Nullable PostgresServer server) {
    if (server == null) {
      HikariDataSource file = open(directory);
      return new StateDatabase(file, file, directory.prepare());
    }
    HikariDataSource source = connect(server, 4, SILENT_AFTER);
    try {
      // A separate connection, so that the seat is renewed while all others are in use.
      return new StateDatabase(source, connect(server, 1, SEAT_SILENT_AFTER), null);
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  public HikariDataSource source() {
    return source;
  }

  /** Connections for the election of the leader. */
  public DataSource elections() {
    return elections;
  }

  /** Whether other orchestrators can use the database at the same time. */
  public boolean isShared() {
    return folder == null;
  }

  /** Folder of its file; null for a server. */
  @Nullable Path folder() {
    return folder;
  }

  /**
   * Whether a failure was caused by a server that cannot be reached, is starting or shutting down
   * (SQLSTATE classes 08 and 57P).
   */
  public static boolean isAway(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (one instanceof SQLTransientConnectionException) {
        return true;
      }
      if (one instanceof SQLException sql && sql.getSQLState() != null) {
        String state = sql.getSQLState();
        if (state.startsWith("08") || state.startsWith("57P")) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void close() {
    elections.close();
    source.close();
  }

  private static HikariDataSource open(StateDirectory directory) {
    Path file = directory.prepare().resolve("state").toAbsolutePath();
    String url =
        "jdbc:h2:file:"
            + file
            + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
            + ";DB_CLOSE_ON_EXIT=FALSE"
            // Commits are written to the file at once: relays are told of them next, and by default
            // a crash would lose half a second.
            + ";WRITE_DELAY=0";
    HikariConfig config = pool(url);
    config.setUsername(USER);
    config.setPassword("");
    // H2 closes a database when a write fails, as on a full disk, and the next connection opens it
    // again in the state of the last commit. The pool has to evict connections to the closed one:
    // it does not recognise the error code, and their isValid still returns true.
    config.setExceptionOverride(new DropClosed());
    config.setConnectionTestQuery("values 1");
    config.setConnectionTimeout(AWAY_AFTER.toMillis());
    // Opened before the pool and closed after it, since the pool would retry for half a minute.
    try (var _ = DriverManager.getConnection(url, USER, "")) {
      return new HikariDataSource(config);
    } catch (SQLException e) {
      throw startFailure(file, e);
    }
  }

  /** Has the pool evict connections to a closed database. */
  private static final class DropClosed implements SQLExceptionOverride {
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
      return failure.getErrorCode() == H2_CLOSED
          ? SQLExceptionOverride.Override.MUST_EVICT
          : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
  }

  private static HikariDataSource connect(PostgresServer server, int most, Duration silent) {
    HikariConfig config = pool(server.url());
    config.setMaximumPoolSize(most);
    // A leader that is suspended or partitioned within a transaction locks the seat's row until it
    // ends.
    config.setConnectionInitSql(
        "set idle_in_transaction_session_timeout = " + IN_TRANSACTION.toMillis());
    config.setUsername(server.user());
    config.setPassword(server.password());
    config.setInitializationFailTimeout(PATIENCE.toMillis());
    // Fails fast while the database is unreachable, so that calls do not pile up.
    config.setConnectionTimeout(AWAY_AFTER.toMillis());
    config.addDataSourceProperty("connectTimeout", AWAY_AFTER.toSeconds());
    config.addDataSourceProperty("socketTimeout", silent.toSeconds());
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "--database " + server + ": cannot be used (" + cause.getMessage() + ")", e);
    }
  }

  private static HikariConfig pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setPoolName("state");
    return config;
  }

  private static CommandException startFailure(Path file, SQLException failure) {
    return failure.getErrorCode() == H2_IN_USE
        ? new CommandException(
            file.getParent()
                + ": another orchestrator uses this state; fix: stop it, or give another"
                + " --state-dir",
            failure)
        : new CommandException(
            file + ".mv.db: cannot be opened (" + failure.getMessage() + ")", failure);
  }
}
