package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.BusyTime;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.Load;
import org.jspecify.annotations.Nullable;

/**
 * Share of time in which a receiver stores a transfer's blocks, on all of its connections together.
 * If it is at least half, storing is assumed to limit the transfer's rate: a part that is not the
 * bottleneck idles while it waits for the bottleneck.
 */
public final class StoringLoad {
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final TransferListener listener;
  private final BusyTime storing = new BusyTime();
  private final BusyTime disk = new BusyTime();
  private long lookedNanos = System.nanoTime();
  private long storedNanos;
  private long writtenNanos;
  private boolean slow;

  /**
   * @param listener told when storing becomes the slowest part, and when it ceases to be
   */
  public StoringLoad(TransferListener listener) {
    this.listener = listener;
  }

  /** Time in which a block waits to be stored: for the disk, or a buffer of the digest. */
  public BusyTime storing() {
    return storing;
  }

  /** The part of {@link #storing} in which a block waits for the disk. */
  public BusyTime disk() {
    return disk;
  }

  /** The load since the last report; null where that was less than a second ago. */
  public synchronized @Nullable Load look(long nowNanos) {
    long nanos = nowNanos - lookedNanos;
    if (nanos < INTERVAL_NANOS) {
      return null;
    }
    long stored = storing.nanos(nowNanos);
    long written = disk.nanos(nowNanos);
    double share = Math.clamp((stored - storedNanos) / (double) nanos, 0, 1);
    boolean isSlow = written - writtenNanos >= BusyTime.BUSY * nanos;
    lookedNanos = nowNanos;
    storedNanos = stored;
    writtenNanos = written;
    if (slow != isSlow) {
      slow = isSlow;
      listener.slowedBy(slow ? Bottleneck.DISK : null);
    }
    return new Load((int) Math.round(share * Load.MOST));
  }
}
