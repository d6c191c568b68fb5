package io.cascade.client.transfer;

/** Time in which at least one thread was busy with an activity. */
public final class BusyTime {
  /** Share of the time above which an activity is assumed to limit a transfer's rate. */
  public static final double BUSY = 0.5;

  private int threads;
  private long sinceNanos;
  private long totalNanos;

  /** A thread begins; it must call {@link #ends} in any case. */
  public synchronized void begins() {
    if (threads++ == 0) {
      sinceNanos = System.nanoTime();
    }
  }

  public synchronized void ends() {
    if (--threads == 0) {
      totalNanos += System.nanoTime() - sinceNanos;
    }
  }

  /** Busy nanoseconds until now, including unfinished activities. */
  public synchronized long nanos(long nowNanos) {
    return totalNanos + (threads > 0 ? Math.max(0, nowNanos - sinceNanos) : 0);
  }
}
