package io.cascade.gateway.tunnel;

import io.netty.channel.EventLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of an event loop whose failures, including Errors, end nothing else: a temporary shortage
 * of memory must not leave a gateway that answers and carries nothing.
 */
final class LoopTasks {
  private static final Logger LOG = Logger.getLogger(LoopTasks.class.getName());

  private LoopTasks() {}

  /** Runs a task periodically, even after it has thrown. */
  static void every(EventLoop loop, long periodNanos, Runnable task) {
    AtomicReference<Class<?>> logged = new AtomicReference<>();
    loop.scheduleAtFixedRate(
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            log(e, logged.getAndSet(e.getClass()));
          }
        },
        periodNanos,
        periodNanos,
        TimeUnit.NANOSECONDS);
  }

  /** Logs a failure, unless the last one was of the same kind: a defect may fail at each run. */
  private static void log(Throwable failure, @Nullable Class<?> before) {
    if (failure.getClass() == before) {
      return;
    }
    try {
      LOG.log(Level.SEVERE, "a task failed; it is run again", failure);
    } catch (RuntimeException | Error e) {
      // There is no memory for the message; the next run is more important.
    }
  }

  /**
   * Runs a task on the event loop, and waits for it. Must not be called from the event loop.
   *
   * @throws java.util.concurrent.CompletionException with what it throws
   */
  static <T> T ask(EventLoop loop, Callable<T> task) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        answer.complete(task.call());
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      }
    });
    return answer.join();
  }
}
