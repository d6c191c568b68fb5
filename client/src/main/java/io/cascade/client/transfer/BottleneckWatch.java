package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.wire.Load;
import io.cascade.client.transfer.wire.TransferHeader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells a sender's listener which part of the transfer is the slowest, beside all else that it
 * hears. Where this host reads for at least half of the time, that is its disk; where the receiver
 * stores for at least half, it is the far end; else it is the path, unless this host's processor or
 * the user's limit holds it up. Where all blocks have arrived and the transfer goes on, it is
 * reading for the digest. Of the transfer's lock.
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

  /** Time in which the receiver stored, as it says. */
  private double farNanos;

  private @Nullable Bottleneck told;
  private boolean announced;

  /** Bytes of the file, where they are known; else none. */
  private long size;

  private long movedNanos;

  BottleneckWatch(BlockReader content, TransferListener listener) {
    super(listener);
    this.content = content;
  }

  /** What the transfer may send. */
  void limited(RateLimit most) {
    limited = most != RateLimit.NONE;
  }

  /** The receiver says how busy it was with storing. */
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

  /** What was the slowest on the whole; null where that is not known. */
  @Nullable Bottleneck overall(Duration elapsed, long nowNanos) {
    double nanos = Math.max(1, elapsed.toNanos());
    return slowest(
        content.readingNanos(nowNanos) / nanos,
        content.preparingNanos(nowNanos) / nanos,
        farNanos / nanos);
  }

  /**
   * @param reading share of the time
   * @param preparing the same, with what the digest took
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
   * Something else than a block has moved. Where every block has arrived, an end reads the file for
   * its digest; that is told once it has taken a second.
   */
  void movedOtherwise(long arrivedBytes, long nowNanos) {
    if (size == 0 || arrivedBytes != size || nowNanos - movedNanos < INTERVAL_NANOS) {
      return;
    }
    if (told != Bottleneck.DIGEST) {
      told = Bottleneck.DIGEST;
      super.slowedBy(told);
    }
    super.moved(arrivedBytes); // Programs hear that it goes on.
  }

  /** Each connection begins; the listener hears of the first one. */
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

  /** The listener hears of it where it heard of the beginning. */
  @Override
  public synchronized void ended() {
    if (announced) {
      super.ended();
    }
  }
}
