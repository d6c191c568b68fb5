package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps one after the other at regular times until it is closed. What a step throws, an {@link
 * Error} included, is logged; it ends neither the round nor the task. Rounds never overlap.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

  private final ScheduledExecutorService thread;

  private PeriodicTask(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  /** Starts at once. */
  public static PeriodicTask every(Duration period, String name, Runnable... steps) {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
    List<Runnable> round = List.of(steps);
    thread.scheduleWithFixedDelay(
        () -> round.forEach(step -> run(name, step)), 0, period.toNanos(), TimeUnit.NANOSECONDS);
    return new PeriodicTask(thread);
  }

  /** A task that throws is never run again by its executor. */
  private static void run(String name, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn("{}: {}", name, e.toString());
    } catch (Throwable e) {
      logError(name, e);
    }
  }

  /** Logging an error may fail for the same reason as the step. */
  private static void logError(String name, Throwable error) {
    try {
      LOG.error("{} failed and goes on", name, error);
    } catch (Throwable _) {
      // There is no memory or no stack to say it with; the next round matters more.
    }
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
