package io.cascade.command.names;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for look-ups of names. The system's resolver blocks a thread until name servers have
 * answered or all time-outs are over, and cannot be interrupted, so that its threads are few and
 * have no other work.
 */
public final class LookupThreads {
  private static final int IDLE_SECONDS = 10;

  private LookupThreads() {}

  /**
   * Makes platform threads that end when they are idle and do not keep the process running.
   *
   * @param most look-ups at a time
   * @param waiting look-ups that may wait for a thread; further ones are rejected with {@link
   *     java.util.concurrent.RejectedExecutionException}
   */
  public static ThreadPoolExecutor pool(String name, int most, int waiting) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
