package io.cascade.carriage.coded;

import org.jspecify.annotations.Nullable;

/**
 * What the sessions of a hop have found out about UDP to its peer, so that those that begin later
 * need not: while UDP is remembered as bad, they go over TCP at once. A session that leaves UDP
 * soon after that time doubles the next. Used from any thread.
 */
final class UdpMemory {
  private final CarrierTimes times;
  private @Nullable String why;
  private long untilNanos;
  private long waitNanos;

  UdpMemory(CarrierTimes times) {
    this.times = times;
  }

  /** UDP was left, though it answers. */
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

  /** UDP was left by mistake. */
  synchronized void forget() {
    why = null;
  }

  /** Why UDP is not to be used now; null where it may be. */
  synchronized @Nullable String whyNot(long nowNanos) {
    return why != null && nowNanos - untilNanos < 0 ? why : null;
  }
}
