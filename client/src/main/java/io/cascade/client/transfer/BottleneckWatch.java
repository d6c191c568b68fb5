package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.TransferHeader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reports to a sender's listener which part of the transfer is the slowest, beside all other calls.
 * If this host reads for at least half of the time, it is the disk; if the receiver stores for at
 * least half, it is the far end; otherwise it is the path, unless this host's processor or the
 * user's limit bounds the rate. If all blocks have arrived and the transfer continues, it is
 * reading for the digest. Guarded by the transfer's lock.
 */
final class BottleneckWatch extends ForwardingListener {
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final BlockReader content;
  private boolean limited;
  private long lookedNanos;
  private long readNanos;
  private long preparedNanos;
  private long heardNanos;
  private double far;

  /** Time in which the receiver stored, as it reported. */
  private double farNanos;

  private @Nullable Bottleneck told;
  private boolean announced;

  /** Bytes of the file if known. */
  private long size;

  private long movedNanos;

  BottleneckWatch(BlockReader content, TransferListener listener) {
    super(listener);
    this.content = content;
  }

  /** Sets the rate limit of the transfer. */
  void limited(RateLimit most) {
    limited = most != RateLimit.NONE;
  }

  /** Records the share of time in which the receiver stored. */
  void heard(Load load, long nowNanos) {
    far = load.permille() / (double) Load.MOST;
    farNanos += far * (nowNanos - heardNanos);
    heardNanos = nowNanos;
  }

  private void look(long nowNanos) {
    long nanos = nowNanos - lookedNanos;
    if (nanos < INTERVAL_NANOS) {
      return;
    }
    long read = content.readingNanos(nowNanos);
    long prepared = content.preparingNanos(nowNanos);
    Bottleneck now =
        slowest(
            (read - readNanos) / (double) nanos, (prepared - preparedNanos) / (double) nanos, far);
    lookedNanos = nowNanos;
    readNanos = read;
    preparedNanos = prepared;
    if (now != told) {
      told = now;
      super.slowedBy(now);
    }
  }

  /** The slowest part of the whole transfer; null where unknown. */
  @Nullable Bottleneck overall(Duration elapsed, long nowNanos) {
    double nanos = Math.max(1, elapsed.toNanos());
    return slowest(
        content.readingNanos(nowNanos) / nanos,
        content.preparingNanos(nowNanos) / nanos,
        farNanos / nanos);
  }

  /**
   * @param reading share of the time
   * @param preparing the same, with the time of the digest
   * @param storing share of the receiver's time
   */
  private @Nullable Bottleneck slowest(double reading, double preparing, double storing) {
    if (reading >= BusyTime.BUSY && reading >= storing) {
      return Bottleneck.DISK;
    }
    if (storing >= BusyTime.BUSY) {
      return Bottleneck.FAR_END;
    }
    return limited || preparing >= BusyTime.BUSY ? null : Bottleneck.PATH;
  }

  @Override
  public void moved(long bytes) {
    super.moved(bytes);
    movedNanos = System.nanoTime();
    look(movedNanos);
  }

  /**
   * Records progress other than a block. If every block has arrived, an end reads the file for its
   * digest; that is reported once it has taken a second.
   */
  void movedOtherwise(long arrivedBytes, long nowNanos) {
    if (size == 0 || arrivedBytes != size || nowNanos - movedNanos < INTERVAL_NANOS) {
      return;
    }
    if (told != Bottleneck.DIGEST) {
      told = Bottleneck.DIGEST;
      super.slowedBy(told);
    }
    super.moved(arrivedBytes); // Shows programs that the transfer continues.
  }

  /** Called for each connection; only the first call is passed on. */
  @Override
  public synchronized void started(TransferHeader header) {
    if (!announced) {
      announced = true;
      size = header.sizeKnown() ? header.size() : 0;
      lookedNanos = System.nanoTime();
      heardNanos = lookedNanos;
      movedNanos = lookedNanos;
      super.started(header);
    }
  }

  /** Passed on if the start was. */
  @Override
  public synchronized void ended() {
    if (announced) {
      super.ended();
    }
  }
}
