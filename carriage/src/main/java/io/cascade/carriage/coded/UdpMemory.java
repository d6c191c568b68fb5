package io.cascade.carriage.coded;

import org.jspecify.annotations.Nullable;

/**
 * What the sessions of a hop have learned of UDP to its peer, so that later sessions need not find
 * it out again. While UDP is remembered as bad, they use TCP at once. If a session leaves UDP soon
 * after that time, the next such time doubles. Thread-safe.
 */
final class UdpMemory {
  private final CarrierTimes times;
  private @Nullable String why;
  private long untilNanos;
  private long waitNanos;

  UdpMemory(CarrierTimes times) {
    this.times = times;
  }

  /** Records that UDP was left although it answers. */
  synchronized void left(String reason, long nowNanos) {
    if (why != null && nowNanos - untilNanos < 0) {
      return; // Another session has left it, too.
    }
    boolean isAgain = why != null && nowNanos - untilNanos < times.lastRetry().toNanos();
    waitNanos =
        isAgain
            ? Math.min(2 * waitNanos, times.lastRetry().toNanos())
            : times.firstRetry().toNanos();
    untilNanos = nowNanos + waitNanos;
    why = reason;
  }

  /** Records that UDP was left by mistake. */
  synchronized void forget() {
    why = null;
  }

  /** Reason for which UDP must not be used at present; null if it may be. */
  synchronized @Nullable String whyNot(long nowNanos) {
    return why != null && nowNanos - untilNanos < 0 ? why : null;
  }
}
