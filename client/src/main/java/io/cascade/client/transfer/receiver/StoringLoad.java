package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.BusyTime;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.Load;
import org.jspecify.annotations.Nullable;

/**
 * How busy a receiver is with storing a transfer's blocks, on all of its connections together. Half
 * of the time and more is taken for the reason of the transfer's rate: what is no bottleneck idles
 * while it waits for the one that is.
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
   * @param listener told when storing becomes the slowest part, and when it is no more
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

  /** The load since it was told before; null where that was less than a second ago. */
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
