package io.cascade.client.forward;

import io.cascade.carriage.transport.LossResponse;
import io.cascade.client.measure.KernelSocket;
import io.cascade.client.measure.TcpCounters;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what the kernel counts of a TCP connection while it moves bytes. Where the connection
 * loses packets without a queue, it gets {@link LossResponse#CONTROL}, as a relay's connections do:
 * it begins with the host's own control, since there is one for each stream of all clients. Losses
 * in either direction are told to the path. From any thread.
 */
final class LossWatch {
  /** Connections that move less are over before anything helps. */
  private static final long LEAST_MOVED_BYTES = 64 << 10;

  private static final long INTERVAL_NANOS = 100_000_000;

  private final SocketChannel connection;
  private final boolean changesControl;
  private final Path path;
  private final AtomicLong moved = new AtomicLong();

  /** Held for a look; who finds it held leaves the look to the holder. */
  private final ReentrantLock looking = new ReentrantLock();

  private final LossResponse sent = LossResponse.ofOwn();
  private final LossResponse arriving = LossResponse.ofOwn();
  private final Gaps gaps = new Gaps();
  private @Nullable KernelSocket socket;
  private boolean sought;
  private long beganNanos;
  private long retransmittedSegments;
  private volatile long nextNanos = System.nanoTime();

  /** Is told of losses on the way of a connection. */
  @FunctionalInterface
  interface Path {
    /** A path on which losses change nothing but the connection. */
    Path NONE = _ -> {};

    /**
     * Packets were lost while no queue stood.
     *
     * @param minRttMicros the least round-trip time
     */
    void losesPackets(long minRttMicros);
  }

  /**
   * Gaps in what arrived, as far as the kernel tells: each one has segments behind it that come out
   * of order until the lost one has come again, two round trips later at the most.
   */
  private static final class Gaps {
    private long outOfOrderSegments;
    private long countedMicros = Long.MIN_VALUE / 2;
    private long count;

    /** Returns how many there were. */
    long after(TcpCounters now, long ageMicros) {
      boolean grew = now.outOfOrderSegments() > outOfOrderSegments;
      outOfOrderSegments = now.outOfOrderSegments();
      if (grew && ageMicros - countedMicros > 2 * now.rttMicros()) {
        countedMicros = ageMicros;
        count++;
      }
      return count;
    }
  }

  /**
   * @param changesControl whether the connection may take another congestion control than the
   *     host's default
   */
  LossWatch(SocketChannel connection, boolean changesControl, Path path) {
    this.connection = connection;
    this.changesControl = changesControl;
    this.path = path;
  }

  /** The connection has sent or received bytes; below 0 none. */
  void moved(long bytes) {
    if (bytes <= 0 || moved.addAndGet(bytes) < LEAST_MOVED_BYTES) {
      return;
    }
    long now = System.nanoTime();
    if (now - nextNanos >= 0 && looking.tryLock()) {
      try {
        nextNanos = now + INTERVAL_NANOS;
        look(now);
      } finally {
        looking.unlock();
      }
    }
  }

  private void look(long nowNanos) {
    if (!sought) {
      sought = true;
      beganNanos = nowNanos;
      socket = KernelSocket.of(connection).orElse(null);
    }
    KernelSocket own = socket;
    TcpCounters now = own == null ? null : own.counters().orElse(null);
    if (own == null || now == null) {
      return;
    }
    long ageMicros = (nowNanos - beganNanos) / 1_000;
    boolean lost = now.retransmittedSegments() > retransmittedSegments;
    retransmittedSegments = now.retransmittedSegments();
    LossResponse.Change change =
        sent.look(now.retransmittedSegments(), now.rttMicros(), now.minRttMicros(), ageMicros);
    if (change == LossResponse.Change.TAKE && changesControl) {
      boolean _ = own.setCongestionControl(LossResponse.CONTROL);
    }
    long before = gaps.count;
    long missing = gaps.after(now, ageMicros);
    LossResponse.Change _ = arriving.look(missing, now.rttMicros(), now.minRttMicros(), ageMicros);
    if ((lost && sent.isSettled()) || (missing > before && arriving.isSettled())) {
      path.losesPackets(now.minRttMicros());
    }
  }
}
