package io.cascade.orchestrator.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.cascade.command.Complaint;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An H2 file by default. The migrations are written for PostgreSQL as well. */
@Configuration(proxyBeanMethods = false)
class Database {
  private static final String USER = "cascade";
  private static final int H2_IN_USE = 90020;

  @Bean(destroyMethod = "close")
  HikariDataSource dataSource(StateDirectory directory) {
    Path file = directory.prepare().resolve("state").toAbsolutePath();
    String url =
        "jdbc:h2:file:"
            + file
            + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
            + ";DB_CLOSE_ON_EXIT=FALSE";
    // By hand and kept open until the pool is: the pool would try again for half a minute.
    try (var _ = DriverManager.getConnection(url, USER, "")) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      config.setUsername(USER);
      config.setPassword("");
      config.setMaximumPoolSize(4);
      config.setPoolName("state");
      HikariDataSource source = new HikariDataSource(config);
      Flyway.configure()
          .dataSource(source)
          .locations("classpath:io/cascade/orchestrator/store")
          .load()
          .migrate();
      return source;
    } catch (SQLException e) {
      throw complaint(file, e);
    }
  }

  @Bean
  JdbcClient jdbcClient(HikariDataSource source) {
    return JdbcClient.create(source);
  }

  private static Complaint complaint(Path file, SQLException failure) {
    return failure.getErrorCode() == H2_IN_USE
        ? new Complaint(
            file.getParent()
                + ": another orchestrator uses this state; stop it, or give another --state-dir",
            failure)
        : new Complaint(file + ".mv.db: cannot be opened (" + failure.getMessage() + ")", failure);
  }
}
