package io.cascade.orchestrator.store;

import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.TaskWatch;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Whether the database accepts writes, tested by a write every {@link #BETWEEN_WRITES}: on a disk
 * that is full or mounted read-only, reads still succeed.
 */
@Component
public class DatabaseHealth {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseHealth.class);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(5);

  private final JdbcClient db;
  private final Timekeeper time;
  private final TaskWatch tasks;
  private volatile boolean writable = true;
  private @Nullable PeriodicTask task;

  DatabaseHealth(JdbcClient db, Timekeeper time, TaskWatch tasks) {
    this.db = db;
    this.time = time;
    this.tasks = tasks;
  }

  /**
   * Whether the last write succeeded. Before the first one it is true, since the migrations have
   * written.
   */
  public boolean isWritable() {
    return writable;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    task =
        PeriodicTask.every(
            BETWEEN_WRITES, "database", this::write, tasks.endOfRound("database", BETWEEN_WRITES));
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
  }

  private void write() {
    try {
      db.sql("update last_write set written_at = :now")
          .param("now", Columns.time(time.now()))
          .update();
    } catch (DataAccessException e) {
      if (writable) {
        LOG.error(
            "the database accepts no writes: open chains continue, and no chain is opened or closed"
                + " and no relay registered until it does: {}",
            String.valueOf(e.getMostSpecificCause().getMessage()));
      }
      writable = false;
      return;
    }
    if (!writable) {
      LOG.info("the database accepts writes again");
    }
    writable = true;
  }
}
