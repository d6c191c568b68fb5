package io.cascade.relay.thread;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A thread that repeats a round. An exception of a round, also an Error, is logged, and the next
 * round begins after a pause: a short lack of memory must not leave a process that answers but no
 * longer does this work.
 *
 * <p>Unless it is {@link #virtual}, it is a platform thread, so that work on the carriers of
 * virtual threads does not delay its rounds.
 */
public final class LastingThread {
  private static final Logger LOG = Logger.getLogger(LastingThread.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private LastingThread() {}

  /** One round of the thread's work. */
  @FunctionalInterface
  public interface Round {
    /**
     * Runs the round.
     *
     * @return whether another one follows
     * @throws InterruptedException to end the thread
     */
    boolean run() throws InterruptedException;
  }

  /** Makes a daemon thread, which ends with the last round or when it is interrupted. */
  public static Thread unstarted(String name, Round round) {
    return unstarted(name, PAUSE, round);
  }

  /** Makes a virtual thread, for rounds that wait most of the time. */
  public static Thread virtual(String name, Round round) {
    return Thread.ofVirtual().name(name).unstarted(() -> repeat(name, PAUSE, round));
  }

  /** Starts a thread that runs a task at once and then after each interval. */
  public static Thread every(Duration interval, String name, Runnable task) {
    return every(() -> interval, name, task);
  }

  /**
   * Starts a thread that runs a task at once and then repeatedly.
   *
   * @param interval until the next run; read after each
   */
  public static Thread every(Supplier<Duration> interval, String name, Runnable task) {
    Thread thread =
        unstarted(
            name,
            () -> {
              task.run();
              Thread.sleep(interval.get());
              return true;
            });
    thread.start();
    return thread;
  }

  /**
   * Makes a thread with another pause.
   *
   * @param pause after a round that threw an exception
   */
  static Thread unstarted(String name, Duration pause, Round round) {
    return Thread.ofPlatform().daemon().name(name).unstarted(() -> repeat(name, pause, round));
  }

  private static void repeat(String name, Duration pause, Round round) {
    try {
      while (!Thread.currentThread().isInterrupted() && runs(name, pause, round)) {
        // continue with the next round
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean runs(String name, Duration pause, Round round)
      throws InterruptedException {
    try {
      return round.run();
    } catch (RuntimeException | Error e) {
      log(name, e);
      Thread.sleep(pause);
      return true;
    }
  }

  private static void log(String name, Throwable failure) {
    try {
      LOG.log(Level.SEVERE, name + ": a round failed; the next one follows", failure);
    } catch (RuntimeException | Error e) {
      // Lack of memory for the message must not end the thread.
    }
  }
}
