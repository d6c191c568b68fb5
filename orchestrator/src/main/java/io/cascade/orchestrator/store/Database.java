package io.cascade.orchestrator.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.cascade.command.Complaint;
import java.nio.file.Path;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An H2 file by default. The migrations are written for PostgreSQL as well. */
@Configuration(proxyBeanMethods = false)
class Database {
  private static final int H2_IN_USE = 90020;

  @Bean(destroyMethod = "close")
  HikariDataSource dataSource(StateDirectory directory) {
    Path file = directory.prepare().resolve("state").toAbsolutePath();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:file:"
            + file
            + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
            + ";DB_CLOSE_ON_EXIT=FALSE");
    config.setUsername("cascade");
    config.setPassword("");
    config.setMaximumPoolSize(4);
    config.setInitializationFailTimeout(-1);
    config.setPoolName("state");
    HikariDataSource source = new HikariDataSource(config);
    try {
      migrate(source, file);
      return source;
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  @Bean
  JdbcClient jdbcClient(HikariDataSource source) {
    return JdbcClient.create(source);
  }

  private static void migrate(HikariDataSource source, Path file) {
    try (var _ = source.getConnection()) {
      Flyway.configure()
          .dataSource(source)
          .locations("classpath:io/cascade/orchestrator/store")
          .load()
          .migrate();
    } catch (SQLException e) {
      for (Throwable at = e; at != null; at = at.getCause()) {
        if (at instanceof SQLException sql && sql.getErrorCode() == H2_IN_USE) {
          throw new Complaint(
              file.getParent()
                  + ": another orchestrator uses this state; stop it, or give another --state-dir",
              e);
        }
      }
      throw new Complaint(file + ".mv.db: cannot be opened (" + e.getMessage() + ")", e);
    }
  }
}
