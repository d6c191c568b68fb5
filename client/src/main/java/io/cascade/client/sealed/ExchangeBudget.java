package io.cascade.client.sealed;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;

/**
 * Bounds what strangers cost: exchanges take some 5 ms of processor time each. A few are computed
 * at a time, and so many begin in a second.
 */
final class ExchangeBudget {
  private static final int AT_ONCE = 2;

  /** Time that each exchange stands for, and how many may begin at once. */
  private static final Duration EACH = Duration.ofMillis(50);

  private static final int BURST = 20;

  /** Longer waits are refused, so that strangers cannot delay others for longer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** Moment up to which the budget is spent. */
  private long spentNanos;

  ExchangeBudget(long nowNanos) {
    spentNanos = nowNanos - BURST * EACH.toNanos();
  }

  /** Something that takes processor time. */
  @FunctionalInterface
  interface Computation<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * Waits until one more exchange may begin.
   *
   * @return false at once where that takes too long; nothing was spent then
   */
  boolean await(long nowNanos) throws InterruptedException {
    OptionalLong wait = turn(nowNanos);
    if (wait.isPresent() && wait.getAsLong() > 0) {
      Thread.sleep(Duration.ofNanos(wait.getAsLong()));
    }
    return wait.isPresent();
  }

  /** Takes a turn: nanoseconds until it comes, at most 0 for now; empty where it comes too late. */
  synchronized OptionalLong turn(long nowNanos) {
    long spent = Math.max(spentNanos, nowNanos - BURST * EACH.toNanos()) + EACH.toNanos();
    if (spent - nowNanos > LONGEST_WAIT.toNanos()) {
      return OptionalLong.empty();
    }
    spentNanos = spent;
    return OptionalLong.of(spent - nowNanos);
  }

  /** Computes when there is a place. */
  <T, E extends Exception> T compute(Computation<T, E> work) throws InterruptedException, E {
    places.acquire();
    try {
      return work.run();
    } finally {
      places.release();
    }
  }
}
