package io.cascade.carriage.transport;

import io.cascade.carriage.kernel.DatagramCalls;

/**
 * Turns the kernel's receive times, which are times of day, into times of the monotonic clock: what
 * counts is how old a time is when it is looked at. The time of day may be set meanwhile; an age
 * that cannot be true counts as none.
 */
final class ReceiveClock {
  /** Longest wait in a socket that is believed; beyond it the clock was set. */
  private static final long OLDEST_NANOS = 10_000_000_000L;

  /** Time between two readings of one clock; more means that the thread was held up there. */
  private static final long CLOSE_NANOS = 20_000;

  private static final int TRIES = 3;

  private long timeOfDayNanos;
  private long monotonicNanos;

  /** Reads both clocks at the same moment, as nearly as can be. */
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

  /** Both clocks at a moment. */
  void set(long timeOfDay, long monotonic) {
    timeOfDayNanos = timeOfDay;
    monotonicNanos = monotonic;
  }

  /**
   * The monotonic time of a time of day.
   *
   * @param stampNanos not above the time of day that was read
   */
  long monotonic(long stampNanos) {
    long age = timeOfDayNanos - stampNanos;
    return age < 0 || age > OLDEST_NANOS ? monotonicNanos : monotonicNanos - age;
  }

  /** The monotonic time that was read. */
  long now() {
    return monotonicNanos;
  }
}
