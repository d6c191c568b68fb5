package io.cascade.studies.coded;

import io.cascade.kernel.Kernel;
import io.cascade.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Small datagrams that cross a link and are returned, 20 a second. They measure how long the link's
 * queue delays other flows. The threads have priority over other processes.
 */
public final class Pinger implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int PRIORITY = 5;
  private static final int BYTES = 16;

  private final DatagramChannel near;
  private final DatagramChannel far;
  private final List<long[]> samples = new ArrayList<>();

  private Pinger(DatagramChannel near, DatagramChannel far) {
    this.near = near;
    this.far = far;
  }

  /** Starts to ping. */
  public static Pinger between(Site from, Site to) throws Exception {
    DatagramChannel far =
        to.call(() -> DatagramChannel.open().bind(new InetSocketAddress(to.address(), 0)));
    DatagramChannel near = from.call(() -> DatagramChannel.open().connect(far.getLocalAddress()));
    Pinger pinger = new Pinger(near, far);
    Thread.ofPlatform().daemon().name("ping-echo").start(pinger::echo);
    Thread.ofPlatform().daemon().name("ping-back").start(pinger::takeBack);
    Thread.ofPlatform().daemon().name("ping").start(pinger::send);
    return pinger;
  }

  private void send() {
    Kernel.becomeRealTime(PRIORITY);
    ByteBuffer packet = ByteBuffer.allocateDirect(BYTES);
    try {
      while (true) {
        packet.clear().putLong(0, System.nanoTime());
        near.write(packet);
        TimeUnit.NANOSECONDS.sleep(PERIOD_NANOS);
      }
    } catch (IOException | InterruptedException e) {
      // Closed by {@link #close}.
    }
  }

  private void echo() {
    Kernel.becomeRealTime(PRIORITY);
    ByteBuffer packet = ByteBuffer.allocateDirect(BYTES);
    try {
      while (true) {
        packet.clear();
        SocketAddress from = far.receive(packet);
        packet.flip();
        far.send(packet, from);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void takeBack() {
    Kernel.becomeRealTime(PRIORITY);
    ByteBuffer packet = ByteBuffer.allocateDirect(BYTES);
    try {
      while (true) {
        packet.clear();
        near.read(packet);
        long now = System.nanoTime();
        synchronized (samples) {
          samples.add(new long[] {now, now - packet.getLong(0)});
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  /**
   * Round trips that ended between two times.
   *
   * @param meanSeconds 0 if none ended
   */
  public record RoundTrips(double meanSeconds, double highSeconds) {}

  /** Mean and 95th percentile. */
  public RoundTrips between(long fromNanos, long toNanos) {
    long[] found;
    synchronized (samples) {
      found =
          samples.stream()
              .filter(sample -> sample[0] >= fromNanos && sample[0] < toNanos)
              .mapToLong(sample -> sample[1])
              .sorted()
              .toArray();
    }
    return found.length == 0
        ? new RoundTrips(0, 0)
        : new RoundTrips(
            Arrays.stream(found).average().orElse(0) / 1e9,
            found[(int) (0.95 * (found.length - 1))] / 1e9);
  }

  @Override
  public void close() throws IOException {
    near.close();
    far.close();
  }
}
