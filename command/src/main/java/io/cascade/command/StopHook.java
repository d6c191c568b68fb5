package io.cascade.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An action that runs if a signal, such as that of Ctrl-C, stops the process before a verb's work
 * is done. It runs concurrently with the work, which then fails.
 */
public final class StopHook implements AutoCloseable {
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final Runnable action;
  private final Thread hook = Thread.ofPlatform().name("stop").unstarted(this::stop);

  private StopHook(Runnable action) {
    this.action = action;
  }

  /** Runs {@code action} when the process is stopped, until this is closed. */
  public static StopHook install(Runnable action) {
    StopHook hook = new StopHook(action);
    Runtime.getRuntime().addShutdownHook(hook.hook);
    return hook;
  }

  /** Runs {@code stop} when the process is stopped, which then waits for the end of the work. */
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

  /** Whether the process is being stopped, which explains every failure. Thread-safe. */
  public boolean isStopping() {
    return stopping.get();
  }

  /** Removes the hook, unless the process is being stopped. */
  @Override
  public void close() {
    if (isStopping()) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      stopping.set(true); // A signal has just arrived.
    }
  }

  /** Stops the work; called on a signal. */
  void stop() {
    stopping.set(true);
    action.run();
  }
}
