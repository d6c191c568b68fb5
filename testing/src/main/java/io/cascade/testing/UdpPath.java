package io.cascade.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A network between a client and a server on loopback, with real sockets: it loses, delays,
 * duplicates and reorders datagrams, drops long ones, limits their rate, is interrupted, and gives
 * its client another address, like a NAT that has dropped a mapping. The client sends to {@link
 * #address()}. Faults may change at any time, from any thread.
 */
public final class UdpPath implements AutoCloseable {
  private static final int LARGEST = 1 << 16;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final InetSocketAddress server;
  private final DatagramChannel clients;
  private final DelayQueue<Flying> flying = new DelayQueue<>();
  private final AtomicLong order = new AtomicLong();
  private final Bucket forward = new Bucket();
  private final Bucket backward = new Bucket();
  private volatile DatagramChannel servers;
  private volatile @Nullable SocketAddress client;
  private volatile Faults faults = Faults.NONE;
  private final AtomicInteger answersToLose = new AtomicInteger();

  /**
   * Faults of the path.
   *
   * @param blocked whether all datagrams are dropped
   * @param loss share of datagrams
   * @param doubled share of datagrams
   * @param delayMillis each way
   * @param jitterMillis greatest additional delay, drawn for each datagram, so that they may be
   *     reordered
   * @param longest most bytes of a datagram that is forwarded
   * @param bitsPerSecond above which datagrams are dropped; 0 for any rate
   * @param burstBytes that may exceed the rate
   */
  public record Faults(
      boolean blocked,
      double loss,
      double doubled,
      double delayMillis,
      double jitterMillis,
      int longest,
      double bitsPerSecond,
      double burstBytes) {
    /** A path without faults. */
    public static final Faults NONE = new Faults(false, 0, 0, 0, 0, LARGEST, 0, 0);

    public Faults withBlocked(boolean value) {
      return new Faults(
          value, loss, doubled, delayMillis, jitterMillis, longest, bitsPerSecond, burstBytes);
    }

    public Faults withLoss(double value) {
      return new Faults(
          blocked, value, doubled, delayMillis, jitterMillis, longest, bitsPerSecond, burstBytes);
    }

    public Faults withDoubled(double value) {
      return new Faults(
          blocked, loss, value, delayMillis, jitterMillis, longest, bitsPerSecond, burstBytes);
    }

    public Faults withDelay(double delay, double jitter) {
      return new Faults(blocked, loss, doubled, delay, jitter, longest, bitsPerSecond, burstBytes);
    }

    public Faults withLongest(int value) {
      return new Faults(
          blocked, loss, doubled, delayMillis, jitterMillis, value, bitsPerSecond, burstBytes);
    }

    public Faults withRate(double bits, double burst) {
      return new Faults(blocked, loss, doubled, delayMillis, jitterMillis, longest, bits, burst);
    }
  }

  /** A policer: tokens that arrive at a rate. */
  private static final class Bucket {
    private double bytes;
    private long atNanos = System.nanoTime();

    boolean takes(int length, Faults limits) {
      if (limits.bitsPerSecond() <= 0) {
        return true;
      }
      long now = System.nanoTime();
      double filled = bytes + (now - atNanos) * limits.bitsPerSecond() / 8 / SECOND_NANOS;
      bytes = Math.min(limits.burstBytes(), filled);
      atNanos = now;
      if (bytes < length) {
        return false;
      }
      bytes -= length;
      return true;
    }
  }

  private record Flying(long dueNanos, long order, boolean toServer, ByteBuffer datagram)
      implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Flying that = (Flying) other;
      int byTime = Long.compare(dueNanos - that.dueNanos, 0);
      return byTime != 0 ? byTime : Long.compare(order, that.order);
    }
  }

  /**
   * Opens the path.
   *
   * @param server destination of what clients send
   */
  public UdpPath(InetSocketAddress server) throws IOException {
    this.server = server;
    this.clients = open();
    this.servers = open();
    start("udp-path-forward", () -> carry(clients, forward, true));
    start("udp-path-backward", () -> carryBack(servers));
    start("udp-path-delay", this::deliver);
  }

  private static DatagramChannel open() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    DatagramChannel channel = DatagramChannel.open();
    channel.bind(any);
    return channel;
  }

  private static void start(String name, Runnable task) {
    Thread.ofPlatform().daemon().name(name).start(task);
  }

  /** The address to which clients send. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) clients.getLocalAddress();
  }

  /** Changes the faults from now on. */
  public void become(Faults next) {
    faults = next;
  }

  /** Loses the next datagrams to the client. */
  public void loseAnswers(int count) {
    answersToLose.set(count);
  }

  /** Gives the client another address, as its server sees it. */
  public void rebind() throws IOException {
    DatagramChannel before = servers;
    DatagramChannel next = open();
    servers = next;
    start("udp-path-backward", () -> carryBack(next));
    before.close();
  }

  private void carryBack(DatagramChannel from) {
    carry(from, backward, false);
  }

  private void carry(DatagramChannel from, Bucket bucket, boolean toServer) {
    SplittableRandom random = new SplittableRandom(toServer ? 1 : 2);
    ByteBuffer datagram = ByteBuffer.allocateDirect(LARGEST);
    while (from.isOpen()) {
      try {
        datagram.clear();
        SocketAddress source = from.receive(datagram);
        datagram.flip();
        if (toServer) {
          client = source;
        }
        pass(datagram, bucket, toServer, random);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // The error of an earlier datagram, such as one to a closed port.
      }
    }
  }

  private void pass(ByteBuffer datagram, Bucket bucket, boolean toServer, SplittableRandom random)
      throws IOException {
    Faults now = faults;
    boolean isLost = !toServer && answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    if (isLost
        || now.blocked()
        || datagram.remaining() > now.longest()
        || random.nextDouble() < now.loss()
        || !bucket.takes(datagram.remaining(), now)) {
      return;
    }
    int copies = random.nextDouble() < now.doubled() ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      double millis = now.delayMillis() + now.jitterMillis() * random.nextDouble();
      if (millis <= 0) {
        send(datagram.duplicate(), toServer);
      } else {
        ByteBuffer copy = ByteBuffer.allocate(datagram.remaining()).put(datagram.duplicate());
        long due = System.nanoTime() + (long) (millis * 1e6);
        flying.add(new Flying(due, order.getAndIncrement(), toServer, copy.flip()));
      }
    }
  }

  private void deliver() {
    while (clients.isOpen()) {
      try {
        Flying next = flying.take();
        send(next.datagram(), next.toServer());
      } catch (IOException e) {
        // Closed, or rebound just now.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void send(ByteBuffer datagram, boolean toServer) throws IOException {
    SocketAddress back = client;
    if (toServer) {
      servers.send(datagram, server);
    } else if (back != null) {
      clients.send(datagram, back);
    }
  }

  @Override
  public void close() throws IOException {
    clients.close();
    servers.close();
  }
}
