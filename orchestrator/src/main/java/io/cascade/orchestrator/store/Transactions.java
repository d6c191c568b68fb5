package io.cascade.orchestrator.store;

import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Writes that are stored together or not at all. */
@Component
public class Transactions {
  private final TransactionTemplate template;

  public Transactions(DataSource source) {
    this.template = new TransactionTemplate(new JdbcTransactionManager(source));
  }

  /**
   * @throws org.springframework.dao.DataAccessException if they could not be stored, including a
   *     transaction that could not be started or committed
   */
  public void run(Runnable writes) {
    try {
      template.executeWithoutResult(_ -> writes.run());
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("no transaction", e);
    }
  }
}
