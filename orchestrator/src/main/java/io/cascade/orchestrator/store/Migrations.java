package io.cascade.orchestrator.store;

import java.nio.file.Path;
import java.time.Instant;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/** Brings a database to the form that this version keeps its state in. */
public final class Migrations {
  /** The one that makes the leader's seat: all others from then on are the leader's to run. */
  private static final String SEAT = "19";

  private static final String LATEST = "latest";

  private Migrations() {}

  /**
   * Runs all that have not run; for the leader.
   *
   * @param now for the name of a copy from before
   */
  public static void run(StateDatabase database, Instant now) {
    run(database, LATEST, now);
  }

  /**
   * Runs what has to have run before there can be a leader: of a file all, since whoever has it
   * open is going to lead, and one copy of it is enough.
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
   * Runs those up to a version.
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
