package io.cascade.it;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Strangers at a port: so many connections or datagrams a second from {@value #SOURCES} addresses,
 * each of a network of its own, until it is closed.
 */
final class Flood implements Closeable {
  static final int SOURCES = 64;

  private static final long STEP_NANOS = 2_000_000;

  private final int aSecond;
  private final Stranger stranger;
  private final Thread thread;
  private final long beganNanos = System.nanoTime();
  private volatile boolean ends;
  private final AtomicLong made = new AtomicLong();

  private interface Stranger extends Closeable {
    void comes(int source) throws IOException;
  }

  private Flood(int aSecond, Stranger stranger) {
    this.aSecond = aSecond;
    this.stranger = stranger;
    this.thread = Thread.ofPlatform().daemon().name("flood").start(this::run);
  }

  /** Connections that say nothing, and are reset after a second. */
  static Flood ofConnections(InetSocketAddress to, int aSecond) {
    return new Flood(aSecond, new Connections(to, aSecond));
  }

  /** Datagrams, in turn noise and what a link probe sends. */
  static Flood ofDatagrams(InetSocketAddress to, int aSecond) throws IOException {
    return new Flood(aSecond, new Datagrams(to));
  }

  /** How many there were a second so far. */
  double rate() {
    return made.get() / ((System.nanoTime() - beganNanos) / 1e9);
  }

  private void run() {
    long due = 0;
    while (!ends) {
      long now = (long) ((System.nanoTime() - beganNanos) / 1e9 * aSecond);
      // What this process was too late for is not made up for at once.
      due = Math.max(due, now - aSecond / 10);
      for (; due < now; due++) {
        try {
          stranger.comes((int) (due % SOURCES));
          made.incrementAndGet();
        } catch (IOException e) {
          // Refused, or there is no room for it: the next one may be luckier.
        }
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  static InetSocketAddress source(int number) {
    return new InetSocketAddress("127." + (1 + number) + ".0.1", 0);
  }

  @Override
  public void close() throws IOException {
    ends = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stranger.close();
  }

  private static final class Connections implements Stranger {
    private final InetSocketAddress to;
    private final int most;
    private final Queue<SocketChannel> open = new ArrayDeque<>();

    Connections(InetSocketAddress to, int most) {
      this.to = to;
      this.most = most;
    }

    @Override
    public void comes(int source) throws IOException {
      if (open.size() >= most) {
        open.remove().close();
      }
      SocketChannel connection = SocketChannel.open();
      open.add(connection);
      connection.setOption(StandardSocketOptions.SO_LINGER, 0);
      connection.bind(source(source));
      connection.configureBlocking(false);
      boolean _ = connection.connect(to);
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel each : open) {
        each.close();
      }
    }
  }

  private static final class Datagrams implements Stranger {
    private static final int PROBE_BYTES = 44;
    private static final int MOST_BYTES = 200;

    private final InetSocketAddress to;
    private final List<DatagramChannel> sources = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private int sequence;

    Datagrams(InetSocketAddress to) throws IOException {
      this.to = to;
      for (int i = 0; i < SOURCES; i++) {
        DatagramChannel channel = DatagramChannel.open().bind(source(i));
        channel.configureBlocking(false);
        sources.add(channel);
      }
    }

    @Override
    public void comes(int source) throws IOException {
      sequence++;
      ByteBuffer datagram;
      if (sequence % 2 == 0) {
        datagram = Probes.test(sequence, (short) source);
      } else {
        byte[] noise = new byte[random.nextInt(PROBE_BYTES, MOST_BYTES)];
        random.nextBytes(noise);
        datagram = ByteBuffer.wrap(noise);
      }
      int _ = sources.get(source).send(datagram, to);
    }

    @Override
    public void close() throws IOException {
      for (DatagramChannel each : sources) {
        each.close();
      }
    }
  }
}
