package io.cascade.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An action for the case that a signal, such as Ctrl-C's, stops the process before a verb's work is
 * done. It runs beside the work, which then fails.
 */
public final class StopHook implements AutoCloseable {
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final Runnable action;
  private final Thread hook = Thread.ofPlatform().name("stop").unstarted(this::stop);

  private StopHook(Runnable action) {
    this.action = action;
  }

  /** Has {@code action} run when the process is stopped, until this is closed. */
  public static StopHook install(Runnable action) {
    StopHook hook = new StopHook(action);
    Runtime.getRuntime().addShutdownHook(hook.hook);
    return hook;
  }

  /** Has {@code stop} run when the process is stopped, which then waits for the end of the work. */
  public static StopHook install(Runnable stop, CountDownLatch ended) {
    return install(() -> {
      stop.run();
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  /** Whether the process is being stopped, which explains every failure. From any thread. */
  public boolean isStopping() {
    return stopping.get();
  }

  /** Takes the hook off, unless the process is being stopped. */
  @Override
  public void close() {
    if (isStopping()) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      stopping.set(true); // The signal came just now.
    }
  }

  /** Stops what runs; a signal sets it off. */
  void stop() {
    stopping.set(true);
    action.run();
  }
}
