package io.cascade.carriage.transport;

import java.util.function.LongSupplier;

/**
 * Share of its time in which an event loop has work. A loop that waits for its processor counts as
 * working, since it does not have that time.
 *
 * <p>Waiting for a processor after an idle period looks like idleness, which happens when loops
 * share a processor. The kernel distinguishes the two, see {@link ProcessorDemand}.
 *
 * <p>One per event loop, used on its thread only.
 */
final class LoopUtilization {
  static final long WINDOW_NANOS = 100_000_000;

  /** A loop that is idle for less than this share of a window is busy. */
  private static final double LEAST_REST = 0.5;

  /** A loop that is idle for more than this share has time for costlier work. */
  private static final double MUCH_REST = 0.75;

  private final LongSupplier demandNanos;
  private long windowSinceNanos;
  private long demandBeforeNanos = ProcessorDemand.UNKNOWN;
  private long restingSinceNanos;
  private long restedNanos;
  private boolean resting;
  private double restOfLastWindow = 1;

  /**
   * @param nowNanos when the loop begins, by a monotonic clock
   * @param demandNanos processor time that the loop has used and waited for so far, or {@link
   *     ProcessorDemand#UNKNOWN}
   */
  LoopUtilization(long nowNanos, LongSupplier demandNanos) {
    this.demandNanos = demandNanos;
    this.windowSinceNanos = nowNanos;
  }

  /** The loop polls for events, and may have to wait. */
  void rests(long nowNanos) {
    resting = true;
    restingSinceNanos = nowNanos;
  }

  /** Whether it has had no work since it polled. */
  boolean isResting() {
    return resting;
  }

  /** There are events, or tasks to run. */
  void works(long nowNanos) {
    if (!resting) {
      return;
    }
    resting = false;
    restedNanos += nowNanos - restingSinceNanos;
    long window = nowNanos - windowSinceNanos;
    if (window >= WINDOW_NANOS) {
      restOfLastWindow = restNanos(window) / (double) window;
      windowSinceNanos = nowNanos;
      restedNanos = 0;
    }
  }

  private long restNanos(long window) {
    long before = demandBeforeNanos;
    demandBeforeNanos = demandNanos.getAsLong();
    boolean known =
        before != ProcessorDemand.UNKNOWN && demandBeforeNanos != ProcessorDemand.UNKNOWN;
    return known ? Math.min(restedNanos, window - (demandBeforeNanos - before)) : restedNanos;
  }

  /** Whether it had work for more than half of the last whole window. */
  boolean isBusy() {
    return restOfLastWindow < LEAST_REST;
  }

  /** Whether it was idle for so much of the last whole window that costlier work would fit in. */
  boolean isLight() {
    return restOfLastWindow > MUCH_REST;
  }
}
