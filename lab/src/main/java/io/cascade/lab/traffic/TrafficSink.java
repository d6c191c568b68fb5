package io.cascade.lab.traffic;

import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The receiver at the destination: accepts connections, discards their bytes and records when they
 * arrived. All sites share this machine's monotonic clock, so that its times and the sender's are
 * comparable.
 */
public final class TrafficSink implements AutoCloseable {
  /** Short compared with every time that is computed from it, long compared with a read. */
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int SLOTS = 50 * 900;
  private static final int READ_BYTES = 256 << 10;

  private final ServerSocketChannel listener;
  private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
  private final long originNanos = System.nanoTime();
  private final AtomicLongArray bytesInSlot = new AtomicLongArray(SLOTS);
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong firstNanos = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong lastNanos = new AtomicLong(Long.MIN_VALUE);
  private final CountDownLatch ended;

  private TrafficSink(ServerSocketChannel listener, int expected) {
    this.listener = listener;
    this.ended = new CountDownLatch(expected);
  }

  /**
   * Listens on a free port.
   *
   * @param expected connections whose end ends the transfer
   */
  public static TrafficSink at(Site site, int expected) throws Exception {
    ServerSocketChannel listener =
        site.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress("0.0.0.0", 0)));
    TrafficSink sink = new TrafficSink(listener, expected);
    Thread.ofPlatform().daemon().name("traffic-sink").start(sink::accept);
    return sink;
  }

  /** The port that it listens on. */
  public int port() throws IOException {
    return ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel connection = listener.accept();
        connections.add(connection);
        Thread.ofPlatform().daemon().name("traffic-sink").start(() -> read(connection));
      }
    } catch (IOException closed) {
      // The sink was closed.
    }
  }

  private void read(SocketChannel connection) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try {
      while (true) {
        buffer.clear();
        int read = connection.read(buffer);
        if (read < 0) {
          ended.countDown();
          return;
        }
        count(read, System.nanoTime());
      }
    } catch (IOException reset) {
      // Not a clean end: awaitEnd reports the transfer as unfinished.
    }
  }

  private void count(int read, long now) {
    int slot = (int) Math.min(SLOTS - 1L, (now - originNanos) / SLOT_NANOS);
    bytesInSlot.addAndGet(slot, read);
    bytes.addAndGet(read);
    firstNanos.accumulateAndGet(now, Math::min);
    lastNanos.accumulateAndGet(now, Math::max);
  }

  /** Whether every expected connection ended cleanly in time. */
  public boolean awaitEnd(double seconds) throws InterruptedException {
    return ended.await(Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
  }

  /** Bytes so far, of all connections. */
  public long bytes() {
    return bytes.get();
  }

  /** Time at which the first byte arrived; {@link Long#MAX_VALUE} before. */
  public long firstNanos() {
    return firstNanos.get();
  }

  /** Time at which the latest byte arrived. */
  public long lastNanos() {
    return lastNanos.get();
  }

  /** Bits per second between two times, from slots that are entirely between them. */
  public double bitsPerSecond(long fromNanos, long toNanos) {
    int from = Math.clamp(Math.ceilDiv(fromNanos - originNanos, SLOT_NANOS), 0, SLOTS);
    int to = Math.clamp((toNanos - originNanos) / SLOT_NANOS, from, SLOTS);
    long sum = 0;
    for (int slot = from; slot < to; slot++) {
      sum += bytesInSlot.get(slot);
    }
    return to == from ? 0 : 8e9 * sum / ((double) (to - from) * SLOT_NANOS);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
