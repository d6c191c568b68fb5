package io.cascade.client.sealed;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;

/**
 * Bounds the processor time that unauthenticated peers cost: an exchange takes some 5 ms. Limits
 * how many exchanges are computed at a time, and how many begin in a second.
 */
final class ExchangeBudget {
  private static final int AT_ONCE = 2;

  /**
   * Budget of one exchange, so that 20 begin in a second; {@code BURST} of them may begin at once.
   */
  private static final Duration EACH = Duration.ofMillis(50);

  private static final int BURST = 20;

  /** Longer waits are refused, so that unauthenticated peers cannot delay others for longer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** Monotonic time up to which the budget is spent. */
  private long spentNanos;

  ExchangeBudget(long nowNanos) {
    spentNanos = nowNanos - BURST * EACH.toNanos();
  }

  /** A computation that takes processor time. */
  @FunctionalInterface
  interface Computation<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * Waits until one more exchange may begin.
   *
   * @return false at once where that would take too long; nothing was spent then
   */
  boolean await(long nowNanos) throws InterruptedException {
    OptionalLong wait = turn(nowNanos);
    if (wait.isPresent() && wait.getAsLong() > 0) {
      Thread.sleep(Duration.ofNanos(wait.getAsLong()));
    }
    return wait.isPresent();
  }

  /**
   * Takes a turn: nanoseconds until it begins, 0 or less for now; empty where the wait would be too
   * long.
   */
  synchronized OptionalLong turn(long nowNanos) {
    long spent = Math.max(spentNanos, nowNanos - BURST * EACH.toNanos()) + EACH.toNanos();
    if (spent - nowNanos > LONGEST_WAIT.toNanos()) {
      return OptionalLong.empty();
    }
    spentNanos = spent;
    return OptionalLong.of(spent - nowNanos);
  }

  /** Runs a computation once fewer than the limit run. */
  <T, E extends Exception> T compute(Computation<T, E> work) throws InterruptedException, E {
    places.acquire();
    try {
      return work.run();
    } finally {
      places.release();
    }
  }
}
