package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task at regular times until it is closed. What a round throws is logged and does not end
 * it. Rounds never overlap.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

  private final ScheduledExecutorService thread;

  private PeriodicTask(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  /** Starts at once. */
  public static PeriodicTask every(Duration period, String name, Runnable round) {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
    thread.scheduleWithFixedDelay(
        () -> {
          try {
            round.run();
          } catch (RuntimeException e) {
            LOG.warn("{}: {}", name, e.toString());
          }
        },
        0,
        period.toNanos(),
        TimeUnit.NANOSECONDS);
    return new PeriodicTask(thread);
  }

  /** Lets a running round end, at most for a second; one that waits for a relay is interrupted. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
