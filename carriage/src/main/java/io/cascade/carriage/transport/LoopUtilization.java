package io.cascade.carriage.transport;

import java.util.function.LongSupplier;

/**
 * Share of its time for which an event loop has something to do. A loop that waits for its
 * processor counts as at work: time that it does not have.
 *
 * <p>What such a loop waits after its rest looks like rest: so it is with loops that share a
 * processor. The kernel can tell one from the other, see {@link ProcessorDemand}.
 *
 * <p>One for each event loop, used on its thread alone.
 */
final class LoopUtilization {
  static final long WINDOW_NANOS = 100_000_000;

  /** A loop that rests less than this share of a window is busy. */
  private static final double LEAST_REST = 0.5;

  /** A loop that rests more than this share has time to spare, also for dearer work. */
  private static final double MUCH_REST = 0.75;

  private final LongSupplier demandNanos;
  private long windowSinceNanos;
  private long demandBeforeNanos = ProcessorDemand.UNKNOWN;
  private long restingSinceNanos;
  private long restedNanos;
  private boolean resting;
  private double restOfLastWindow = 1;

  /**
   * @param nowNanos when the loop begins, of a clock that never goes back
   * @param demandNanos what the loop has had and wanted of a processor so far, or {@link
   *     ProcessorDemand#UNKNOWN}
   */
  LoopUtilization(long nowNanos, LongSupplier demandNanos) {
    this.demandNanos = demandNanos;
    this.windowSinceNanos = nowNanos;
  }

  /** The loop asks what has happened, and may have to wait. */
  void rests(long nowNanos) {
    resting = true;
    restingSinceNanos = nowNanos;
  }

  /** Whether it has not been at work since it asked. */
  boolean isResting() {
    return resting;
  }

  /** Something has happened, or there are tasks to run. */
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

  /** Whether it was at work for more than half of the last whole window. */
  boolean isBusy() {
    return restOfLastWindow < LEAST_REST;
  }

  /** Whether there was so much rest in the last whole window that dearer work would fit in. */
  boolean isLight() {
    return restOfLastWindow > MUCH_REST;
  }
}
