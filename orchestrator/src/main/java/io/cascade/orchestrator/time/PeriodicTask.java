package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps in order, periodically, until it is closed. Exceptions of a step, including an {@link
 * Error}, are logged; they end neither the round nor the task. Rounds never overlap.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  private final String name;
  private final List<Runnable> round;
  private final Supplier<Duration> pause;
  private final Semaphore due = new Semaphore(0);
  private final Thread thread;
  private volatile boolean closing;

  private PeriodicTask(String name, List<Runnable> round, Supplier<Duration> pause) {
    this.name = name;
    this.round = round;
    this.pause = pause;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::rounds);
  }

  /** Starts at once. */
  public static PeriodicTask every(Duration period, String name, Runnable... steps) {
    return every(() -> period, name, steps);
  }

  /**
   * Starts at once.
   *
   * @param pause time between two rounds; called after each
   */
  public static PeriodicTask every(Supplier<Duration> pause, String name, Runnable... steps) {
    PeriodicTask task = new PeriodicTask(name, List.of(steps), pause);
    task.thread.start();
    return task;
  }

  /** Starts the next round at once, or right after the current one. */
  public void soon() {
    due.release();
  }

  private void rounds() {
    while (!closing) {
      round.forEach(step -> run(name, step));
      try {
        boolean _ = due.tryAcquire(pause.get().toNanos(), TimeUnit.NANOSECONDS);
        due.drainPermits();
      } catch (InterruptedException e) {
        // The task is closing, or a step was interrupted and restored the flag.
      }
    }
  }

  private static void run(String name, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn("{}: {}", name, e.toString());
    } catch (Throwable e) {
      logError(name, e);
    }
  }

  /** Logs an error; logging may fail for the same reason as the step. */
  private static void logError(String name, Throwable error) {
    try {
      LOG.error("{} failed and is run again", name, error);
    } catch (Throwable _) {
      // Without memory or stack it cannot be logged; the next round is more important.
    }
  }

  /** Waits at most a second for a running round; a round that waits for a relay is interrupted. */
  @Override
  public void close() {
    closing = true;
    due.release();
    try {
      if (!thread.join(CLOSE_WITHIN)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
