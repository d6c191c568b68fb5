package io.cascade.relay.pump;

import java.util.function.LongSupplier;

/**
 * Measures how long a direction waits, by cause. Between two events a direction always waits for
 * some cause, so that the times add up to its lifetime.
 *
 * <p>One thread changes it and reads the time only when the cause changes; any thread reads it. A
 * direction that never waits for its sink or for memory never reads the time.
 */
final class StallClock {
  private static final LongSupplier NANO_TIME = System::nanoTime;
  private static final long ORIGIN = NANO_TIME.getAsLong();

  private static final int DATA = 0;
  private static final int SINK = 1;
  private static final int BUDGET = 2;
  private static final int STOPPED = 3;
  private static final long CHANGING = -1;

  private final LongSupplier nanoTime;
  private volatile long dataNanos;
  private volatile long sinkNanos;
  private volatile long budgetNanos;

  /** Time since which the direction waits; the two lowest bits are the cause. */
  private volatile long stamp;

  /** Starts the clock, waiting for data. */
  StallClock() {
    this(NANO_TIME);
  }

  StallClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.stamp = stamp(now(), DATA);
  }

  /** Changes the cause. Called by the one changing thread. */
  void waitsFor(Stall cause) {
    change(
        switch (cause) {
          case DATA -> DATA;
          case SINK -> SINK;
          case BUDGET -> BUDGET;
        });
  }

  /** Stops for good. Called by the one changing thread. */
  void stop() {
    change(STOPPED);
  }

  /** Whether it waits for something other than data. Called by the one changing thread. */
  boolean isHeldUp() {
    return cause(stamp) != DATA;
  }

  /** Reads the times so far. Called by any thread. */
  Stalls read() {
    while (true) {
      long before = stamp;
      Stalls past = new Stalls(dataNanos, sinkNanos, budgetNanos);
      // A total that was read during a change would count its last interval twice.
      if (before != CHANGING && stamp == before) {
        return past.plus(running(before));
      }
      Thread.onSpinWait();
    }
  }

  private Stalls running(long stamp) {
    int cause = cause(stamp);
    long lasted = cause == STOPPED ? 0 : Math.max(0, now() - since(stamp));
    return new Stalls(
        cause == DATA ? lasted : 0, cause == SINK ? lasted : 0, cause == BUDGET ? lasted : 0);
  }

  // Only this thread changes the totals.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void change(int next) {
    long last = stamp;
    int before = cause(last);
    if (before == next || before == STOPPED) {
      return;
    }
    long now = now();
    long lasted = now - since(last);
    stamp = CHANGING;
    switch (before) {
      case DATA -> dataNanos += lasted;
      case SINK -> sinkNanos += lasted;
      default -> budgetNanos += lasted;
    }
    stamp = stamp(now, next);
  }

  private long now() {
    return nanoTime.getAsLong() - ORIGIN;
  }

  private static long stamp(long since, int cause) {
    return since << 2 | cause;
  }

  private static long since(long stamp) {
    return stamp >> 2;
  }

  private static int cause(long stamp) {
    return (int) (stamp & 3);
  }
}
