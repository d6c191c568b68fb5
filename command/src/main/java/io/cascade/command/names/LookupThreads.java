package io.cascade.command.names;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for name look-ups. The system's resolver blocks a thread until name servers have answered
 * or all time-outs have expired, and cannot be interrupted, so that its threads are few and do no
 * other work.
 */
public final class LookupThreads {
  private static final int IDLE_SECONDS = 10;

  private LookupThreads() {}

  /**
   * Creates a pool of platform threads that end when they are idle and do not keep the process
   * running.
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
