package io.cascade.carriage.transport;

import io.cascade.carriage.kernel.DatagramCalls;

/**
 * Converts the kernel's receive times, which are times of day, to times of the monotonic clock, by
 * their age when they are read. The time of day may be set meanwhile; an impossible age counts as
 * zero.
 */
final class ReceiveClock {
  /** Longest plausible wait in a socket; a longer one means that the clock was set. */
  private static final long OLDEST_NANOS = 10_000_000_000L;

  /**
   * Time between two readings of one clock; a longer one means that the thread was suspended in
   * between.
   */
  private static final long CLOSE_NANOS = 20_000;

  private static final int TRIES = 3;

  private long timeOfDayNanos;
  private long monotonicNanos;

  /** Reads both clocks as simultaneously as possible. */
  void read() {
    long narrowest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && narrowest > CLOSE_NANOS; i++) {
      long before = System.nanoTime();
      long timeOfDay = DatagramCalls.timeOfDayNanos();
      long width = System.nanoTime() - before;
      if (width < narrowest) {
        narrowest = width;
        set(timeOfDay, before + width / 2);
      }
    }
  }

  /** Sets the simultaneous readings of both clocks. */
  void set(long timeOfDay, long monotonic) {
    timeOfDayNanos = timeOfDay;
    monotonicNanos = monotonic;
  }

  /**
   * Converts a time of day to a monotonic time.
   *
   * @param stampNanos not above the last reading of the time of day
   */
  long monotonic(long stampNanos) {
    long age = timeOfDayNanos - stampNanos;
    return age < 0 || age > OLDEST_NANOS ? monotonicNanos : monotonicNanos - age;
  }

  /** The last reading of the monotonic clock. */
  long now() {
    return monotonicNanos;
  }
}
