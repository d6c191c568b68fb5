package io.cascade.client.forward;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocks threads until event loops have completed something. */
final class Waiting {
  private Waiting() {}

  /** Waits for completion; returns false on time-out. */
  static boolean isDone(CompletableFuture<?> future, Duration time) throws InterruptedException {
    try {
      Object _ = future.get(time.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /**
   * Waits for a result.
   *
   * @throws IOException the failure of the future
   */
  static <T> T result(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(String.valueOf(e.getCause()), e.getCause());
    }
  }
}
