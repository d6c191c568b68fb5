package io.cascade.client.transfer;

/** Time in which at least one thread was at something. */
public final class BusyTime {
  /** Share of the time above which what is busy is taken for what limits a transfer's rate. */
  public static final double BUSY = 0.5;

  private int threads;
  private long sinceNanos;
  private long totalNanos;

  /** A thread begins; it calls {@link #ends} in any case. */
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

  /** Nanoseconds until now, those of who is at it among them. */
  public synchronized long nanos(long nowNanos) {
    return totalNanos + (threads > 0 ? Math.max(0, nowNanos - sinceNanos) : 0);
  }
}
