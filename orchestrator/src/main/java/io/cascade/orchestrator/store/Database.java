package io.cascade.orchestrator.store;

import com.zaxxer.hikari.HikariDataSource;
import io.cascade.orchestrator.leadership.Tenure;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The leader's access to its database. */
@Configuration(proxyBeanMethods = false)
class Database {

  /** Closed with the database, which outlives the leader's tenure. */
  @Bean(destroyMethod = "")
  HikariDataSource dataSource(StateDatabase database) {
    return database.source();
  }

  @Bean
  JdbcClient jdbcClient(StateDatabase database, Transactions transactions, Tenure tenure) {
    return JdbcClient.create(new FencedJdbc(database, transactions, tenure));
  }
}
