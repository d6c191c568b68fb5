package io.cascade.lab;

import io.cascade.kernel.Kernel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Numbered and timed datagrams from one site to another, all on one machine and so on one clock, by
 * which the links are checked.
 *
 * @param sent how many
 * @param received how many, each counted once
 * @param reordered that arrived after one with a higher number
 * @param corrupted whose content differed from what had been sent
 * @param oneWayNanos from before the sending call until after the receiving one
 * @param receivingSeconds from the first arrival to the last
 * @param receivedBits of IP packets that arrived after the first
 */
record DatagramRun(
    long sent,
    long received,
    long reordered,
    long corrupted,
    Histogram oneWayNanos,
    double receivingSeconds,
    long receivedBits) {
  private static final int PORT = 9_999;
  private static final int HEADERS = 28; // IPv4 and UDP.
  private static final int LEAST_PAYLOAD = 16;
  private static final int SOCKET_BUFFER = 8 << 20;
  private static final int MEASURING_PRIORITY = 5;
  private static final long QUIET_NANOS = Duration.ofMillis(300).toNanos();

  /**
   * @param packetBytes of the IP packets
   * @param packetsPerSecond evenly spaced
   */
  static DatagramRun between(
      Site from, Site to, int packetBytes, double packetsPerSecond, Duration length)
      throws Exception {
    return between(from, to, packetBytes, packetsPerSecond, length, false);
  }

  /**
   * @param realTime whether sender and receiver have real-time priority, so that the link is
   *     measured and not the scheduler; for low rates, because the sender busy-waits
   */
  static DatagramRun between(
      Site from,
      Site to,
      int packetBytes,
      double packetsPerSecond,
      Duration length,
      boolean realTime)
      throws Exception {
    int payload = packetBytes - HEADERS;
    if (payload < LEAST_PAYLOAD) {
      throw new IllegalArgumentException("packet: " + packetBytes + " bytes (expected: >= 44)");
    }
    Receiver receiver = to.call(() -> new Receiver(to.address(), payload, realTime));
    try {
      long count = Math.round(length.toNanos() / 1e9 * packetsPerSecond);
      from.call(() -> {
        if (realTime) {
          Kernel.becomeRealTime(MEASURING_PRIORITY);
        }
        send(to.address(), payload, count, 1e9 / packetsPerSecond);
        return true;
      });
      return receiver.finish(count);
    } finally {
      receiver.close();
    }
  }

  private static void send(String address, int payload, long count, double intervalNanos)
      throws IOException {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
      channel.connect(new InetSocketAddress(address, PORT));
      ByteBuffer packet = ByteBuffer.allocateDirect(payload);
      long start = System.nanoTime();
      for (long number = 0; number < count; number++) {
        long due = start + Math.round(number * intervalNanos);
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
          if (wait > 200_000) {
            LockSupport.parkNanos(wait - 100_000);
          } else {
            Thread.onSpinWait();
          }
        }
        packet.clear();
        fill(packet, number);
        packet.putLong(8, System.nanoTime());
        channel.write(packet);
      }
    }
  }

  private static void fill(ByteBuffer packet, long number) {
    packet.putLong(0, number);
    for (int i = LEAST_PAYLOAD; i + 8 <= packet.capacity(); i += 8) {
      packet.putLong(i, content(number, i));
    }
  }

  private static boolean intact(ByteBuffer packet, long number, int length) {
    if (length != packet.capacity()) {
      return false;
    }
    for (int i = LEAST_PAYLOAD; i + 8 <= length; i += 8) {
      if (packet.getLong(i) != content(number, i)) {
        return false;
      }
    }
    return true;
  }

  private static long content(long number, int place) {
    return (number + 1) * 0x9E3779B97F4A7C15L + place;
  }

  /** Counts arrivals, on a thread of its own at the receiving site. */
  private static final class Receiver implements AutoCloseable {
    private final DatagramChannel channel;
    private final ByteBuffer packet;
    private final AtomicLong lastArrival = new AtomicLong(System.nanoTime());
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final Histogram oneWay = new Histogram(3);
    private long received;
    private long reordered;
    private long corrupted;
    private long firstArrival;
    private long bitsAfterFirst;

    Receiver(String address, int payload, boolean realTime) throws IOException {
      channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
      channel.bind(new InetSocketAddress(address, PORT));
      packet = ByteBuffer.allocateDirect(payload);
      Thread.ofPlatform().daemon().name("datagrams").start(() -> run(realTime));
    }

    private void run(boolean realTime) {
      if (realTime) {
        Kernel.becomeRealTime(MEASURING_PRIORITY);
      }
      long highest = -1;
      try {
        while (open.get()) {
          packet.clear();
          channel.receive(packet);
          long now = System.nanoTime();
          long number = packet.getLong(0);
          received++;
          if (!intact(packet, number, packet.position())) {
            corrupted++;
            continue;
          }
          if (number < highest) {
            reordered++;
          }
          highest = Math.max(highest, number);
          oneWay.recordValue(Math.max(0, now - packet.getLong(8)));
          if (received == 1) {
            firstArrival = now;
          } else {
            bitsAfterFirst += 8L * (packet.position() + HEADERS);
          }
          lastArrival.set(now);
        }
      } catch (IOException e) {
        // Closed, which ends the thread.
      } finally {
        ended.complete(true);
      }
    }

    /** Waits until nothing has arrived for longer than any delay that is measured here. */
    DatagramRun finish(long sent) throws Exception {
      while (System.nanoTime() - lastArrival.get() < QUIET_NANOS) {
        LockSupport.parkNanos(QUIET_NANOS / 10);
      }
      close();
      ended.get();
      return new DatagramRun(
          sent,
          received,
          reordered,
          corrupted,
          oneWay,
          (lastArrival.get() - firstArrival) / 1e9,
          bitsAfterFirst);
    }

    @Override
    public void close() throws IOException {
      open.set(false);
      channel.close();
    }
  }
}
