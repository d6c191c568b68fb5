package io.cascade.orchestrator.store;

import java.util.function.UnaryOperator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Inserts and updates of rows by key. */
public final class Rows {
  private Rows() {}

  /** Updates a row, or inserts it if there is none. Both statements have the same parameters. */
  public static void save(
      JdbcClient db, String update, String insert, UnaryOperator<StatementSpec> values) {
    if (values.apply(db.sql(update)).update() == 0) {
      values.apply(db.sql(insert)).update();
    }
  }
}
