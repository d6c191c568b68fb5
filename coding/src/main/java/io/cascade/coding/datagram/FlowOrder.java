package io.cascade.coding.datagram;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * Restores the order of a bucket's datagrams, for a bounded time: one that overtook others waits
 * for them, and once it has waited long enough it is passed on without them. Datagrams that arrive
 * after that are passed on at once.
 *
 * <p>Numbers are counted per bucket, 16 bits on the wire. Holds at most {@value #MOST_HELD_BYTES}
 * bytes; beyond that the one that has waited longest is passed on.
 */
final class FlowOrder {
  /**
   * More than arrives in 300 ms at 100 Mbit/s, and more than a session's window of 2,048 symbols.
   */
  static final int MOST_HELD_BYTES = 4 << 20;

  /** Memory per datagram besides its bytes, so that many small ones are bounded, too. */
  static final int BYTES_BESIDE = 100;

  static final long NEVER = Long.MAX_VALUE;

  private final DatagramSink sink;
  private final long[] expected = new long[Datagrams.BUCKETS];
  private final Map<Integer, NavigableMap<Long, Held>> holding = new HashMap<>();

  /** All held datagrams, in the order in which they arrived. */
  private final SequencedSet<Held> byArrival = new LinkedHashSet<>();

  private long heldBytes;
  private long late;

  /** A held datagram; instances are distinct, whatever they contain. */
  private static final class Held {
    private final int bucket;
    private final byte[] bytes;
    private final long arrivedNanos;

    Held(int bucket, byte[] bytes, long arrivedNanos) {
      this.bucket = bucket;
      this.bytes = bytes;
      this.arrivedNanos = arrivedNanos;
    }

    private int size() {
      return bytes.length + BYTES_BESIDE;
    }
  }

  FlowOrder(DatagramSink sink) {
    this.sink = sink;
  }

  /** Takes a datagram with the low 16 bits of its number; times must not decrease. */
  void arrived(int bucket, int number, byte[] bytes, long nowNanos) {
    int ahead = (short) (number - (int) expected[bucket]);
    if (ahead < 0) {
      late++;
      sink.arrived(bytes);
    } else if (ahead == 0) {
      expected[bucket]++;
      sink.arrived(bytes);
      passInOrder(bucket);
    } else {
      hold(expected[bucket] + ahead, new Held(bucket, bytes, nowNanos));
      while (heldBytes > MOST_HELD_BYTES) {
        release(byArrival.getFirst());
      }
    }
  }

  private void hold(long number, Held datagram) {
    NavigableMap<Long, Held> waiting =
        holding.computeIfAbsent(datagram.bucket, _ -> new TreeMap<>());
    if (waiting.putIfAbsent(number, datagram) == null) {
      byArrival.add(datagram);
      heldBytes += datagram.size();
    }
  }

  private void passInOrder(int bucket) {
    NavigableMap<Long, Held> waiting = holding.get(bucket);
    if (waiting == null) {
      return;
    }
    while (!waiting.isEmpty() && waiting.firstKey() == expected[bucket]) {
      pass(waiting);
    }
    if (waiting.isEmpty()) {
      holding.remove(bucket);
    }
  }

  private void pass(NavigableMap<Long, Held> waiting) {
    Map.Entry<Long, Held> first = waiting.pollFirstEntry();
    Held datagram = first.getValue();
    byArrival.remove(datagram);
    heldBytes -= datagram.size();
    expected[datagram.bucket] = first.getKey() + 1;
    sink.arrived(datagram.bytes);
  }

  /** Passes on what arrived at or before a time, and all that is then in order. */
  void releaseOlderThan(long arrivedNanos) {
    while (!byArrival.isEmpty() && oldestNanos() <= arrivedNanos) {
      release(byArrival.getFirst());
    }
  }

  /**
   * Passes a datagram on, with those held before it in its bucket and all that is then in order.
   */
  private void release(Held datagram) {
    NavigableMap<Long, Held> waiting = holding.get(datagram.bucket);
    while (waiting != null && byArrival.contains(datagram)) {
      pass(waiting);
    }
    passInOrder(datagram.bucket);
  }

  /** Returns when the datagram arrived that has waited longest, or {@link #NEVER}. */
  long oldestNanos() {
    return byArrival.isEmpty() ? NEVER : byArrival.getFirst().arrivedNanos;
  }

  int held() {
    return byArrival.size();
  }

  /** Number of datagrams that arrived too late to be ordered. */
  long late() {
    return late;
  }
}
