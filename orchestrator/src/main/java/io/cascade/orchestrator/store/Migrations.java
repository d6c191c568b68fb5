package io.cascade.orchestrator.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings a database to the form that this version keeps its state in. */
public final class Migrations {
  private static final String LATEST = "latest";

  private Migrations() {}

  /** Runs all that have not run. */
  static void run(DataSource source) {
    run(source, LATEST);
  }

  /**
   * Runs those up to a version.
   *
   * @param target number of the last one, or {@code latest}
   */
  public static void run(DataSource source, String target) {
    Flyway.configure()
        .dataSource(source)
        .locations("classpath:io/cascade/orchestrator/store")
        .javaMigrations(new RoutesOfChains())
        .target(target)
        .load()
        .migrate();
  }
}
