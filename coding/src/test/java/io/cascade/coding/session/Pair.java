package io.cascade.coding.session;

import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.SlidingDeficit;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two ends and the datagrams between them, 10 ms each way, under a clock that the test moves. */
final class Pair {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  static final int CONTENT = 50;
  static final int WINDOW = 512;
  private static final long WAY = 10 * MILLI;

  final CodedSession near;
  final CodedSession far;
  long now;

  /** How much the far end's clock is ahead. */
  long farOffset;

  /** What becomes of a datagram on its way; null loses it. */
  Function<byte[], byte @Nullable []> path = datagram -> datagram;

  private final PriorityQueue<Flying> flying =
      new PriorityQueue<>(Comparator.comparingLong(Flying::due).thenComparingLong(Flying::order));
  private final ByteBuffer out = ByteBuffer.allocate(2_000);
  private long order;

  private record Flying(long due, long order, CodedSession to, ByteBuffer datagram) {}

  Pair() {
    this(5 * SECOND);
  }

  Pair(long silenceNanos) {
    this(silenceNanos, CONTENT, WINDOW, 10_000, 300);
  }

  /** Ends of a fixed rate, with at most so many packets in flight. */
  Pair(
      long silenceNanos, int content, int windowSymbols, double packetsPerSecond, double inFlight) {
    near = end(1, 2, silenceNanos, content, windowSymbols, packetsPerSecond, inFlight);
    far = end(2, 1, silenceNanos, content, windowSymbols, packetsPerSecond, inFlight);
  }

  private static CodedSession end(
      int local,
      int remote,
      long silenceNanos,
      int content,
      int windowSymbols,
      double packetsPerSecond,
      double inFlight) {
    return new CodedSession(
        new SessionSettings(local, remote, content, windowSymbols, silenceNanos, local),
        new FixedRate(packetsPerSecond, inFlight),
        new SlidingDeficit(0),
        0);
  }

  void runUntil(long until) {
    while (true) {
      send(near, far, 0);
      send(far, near, farOffset);
      long farNext = far.nextNanos();
      boolean isNever = farNext == CodedSession.NEVER || farNext < Long.MIN_VALUE / 4;
      long next = Math.min(near.nextNanos(), isNever ? farNext : farNext - farOffset);
      Flying first = flying.peek();
      next = first == null ? next : Math.min(next, first.due());
      if (next > until) {
        now = until;
        return;
      }
      now = Math.max(now + 1_000, next);
      while (!flying.isEmpty() && flying.peek().due() <= now) {
        Flying arrived = flying.remove();
        arrived.to().onDatagram(arrived.datagram(), now + (arrived.to() == far ? farOffset : 0));
      }
    }
  }

  private void send(CodedSession from, CodedSession to, long offset) {
    while (true) {
      out.clear();
      int length = from.poll(now + offset, out);
      if (length == 0) {
        return;
      }
      byte[] datagram = new byte[length];
      out.flip().get(datagram);
      byte[] arriving = path.apply(datagram);
      if (arriving != null) {
        flying.add(new Flying(now + WAY, order++, to, ByteBuffer.wrap(arriving)));
      }
    }
  }

  int read(CodedSession from) {
    ByteBuffer into = ByteBuffer.allocate(100_000);
    return from.read(into, now + (from == far ? farOffset : 0));
  }

  static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }
}
