package io.cascade.relay.pump;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * Takes the time that a direction waits, by what for. Between two events a direction always waits
 * for something, so that the causes add up to its life.
 *
 * <p>One thread changes it, and looks at the time only when the cause changes; any thread reads it.
 * A direction that neither its sink nor memory ever stops costs no look at the time at all.
 */
final class StallClock {
  private static final LongSupplier NANO_TIME = System::nanoTime;
  private static final long ORIGIN = NANO_TIME.getAsLong();

  private static final int DATA = 0;
  private static final int SINK = 1;
  private static final int BUDGET = 2;

  /** Of the last cell: since when, and for which cause, in the two lowest bits. */
  private static final int STAMP = 3;

  private static final int STOPPED = 3;
  private static final long CHANGING = -1;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final LongSupplier nanoTime;
  private final long[] cells = new long[STAMP + 1];

  /** Runs from now on, waiting for data. */
  StallClock() {
    this(NANO_TIME);
  }

  StallClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    set(STAMP, stamp(now(), DATA));
  }

  /** By the one changing thread. */
  void waitsFor(Stall cause) {
    change(
        switch (cause) {
          case DATA -> DATA;
          case SINK -> SINK;
          case BUDGET -> BUDGET;
        });
  }

  /** For good. By the one changing thread. */
  void stop() {
    change(STOPPED);
  }

  /** Whether it waits for more than data. By the one changing thread. */
  boolean isHeldUp() {
    return cause(cells[STAMP]) != DATA;
  }

  /** Until now. From any thread. */
  Stalls read() {
    while (true) {
      long stamp = get(STAMP);
      long data = get(DATA);
      long sink = get(SINK);
      long budget = get(BUDGET);
      // A total read while it was being changed would count its last stretch twice.
      if (stamp != CHANGING && get(STAMP) == stamp) {
        return new Stalls(data, sink, budget).plus(running(stamp));
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

  private void change(int next) {
    long stamp = cells[STAMP];
    int before = cause(stamp);
    if (before == next || before == STOPPED) {
      return;
    }
    long now = now();
    set(STAMP, CHANGING);
    set(before, cells[before] + now - since(stamp));
    set(STAMP, stamp(now, next));
  }

  private long get(int cell) {
    return (long) CELL.getAcquire(cells, cell);
  }

  private void set(int cell, long value) {
    CELL.setRelease(cells, cell, value);
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
