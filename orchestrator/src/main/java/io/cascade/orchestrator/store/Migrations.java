package io.cascade.orchestrator.store;

import java.nio.file.Path;
import java.time.Instant;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/** Migrates a database to the schema of this version. */
public final class Migrations {
  /** The migration that creates the leader's seat; only the leader runs later ones. */
  private static final String SEAT = "19";

  private static final String LATEST = "latest";

  private Migrations() {}

  /**
   * Runs all pending migrations; for the leader.
   *
   * @param now for the name of the backup
   */
  public static void run(StateDatabase database, Instant now) {
    run(database, LATEST, now);
  }

  /**
   * Runs the migrations that have to be complete before there can be a leader. For a file these are
   * all of them: the process that has it open will lead, and one backup is enough.
   */
  public static void runForSeat(StateDatabase database, Instant now) {
    run(database, database.isShared() ? SEAT : LATEST, now);
  }

  private static void run(StateDatabase database, String target, Instant now) {
    Flyway flyway = flyway(database.source(), target);
    MigrationInfo[] pending = flyway.info().pending();
    Path folder = database.folder();
    if (folder != null && flyway.info().current() != null && pending.length > 0) {
      String version = pending[pending.length - 1].getVersion().getVersion();
      Backup.write(database.source(), folder, version, now);
    }
    flyway.migrate();
  }

  /**
   * Runs the migrations up to a version.
   *
   * @param target number of the last one, or {@code latest}
   */
  public static void run(DataSource source, String target) {
    flyway(source, target).migrate();
  }

  private static Flyway flyway(DataSource source, String target) {
    return Flyway.configure()
        .dataSource(source)
        .locations("classpath:io/cascade/orchestrator/store")
        .javaMigrations(new RoutesOfChains())
        .target(target)
        .load();
  }
}
