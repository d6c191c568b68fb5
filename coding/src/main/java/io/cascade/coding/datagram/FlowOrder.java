package io.cascade.coding.datagram;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Puts datagrams of a bucket in order again, for a bounded time: one that arrives ahead of others
 * waits for them, and once it has waited for long enough the others are no longer waited for. One
 * that comes later than that is passed on at once.
 *
 * <p>Numbers are counted per bucket, 16 bits on the wire. Holds at most {@link #MOST_HELD}
 * datagrams; beyond that nothing is waited for.
 */
final class FlowOrder {
  static final int MOST_HELD = 1_024;
  static final long NEVER = Long.MAX_VALUE;

  private final DatagramSink sink;
  private final long[] expected = new long[Datagrams.BUCKETS];
  private final Map<Integer, NavigableMap<Long, Held>> holding = new HashMap<>();
  private int held;
  private long late;

  private static final class Held {
    private final byte[] bytes;
    private final long arrivedNanos;

    Held(byte[] bytes, long arrivedNanos) {
      this.bytes = bytes;
      this.arrivedNanos = arrivedNanos;
    }
  }

  FlowOrder(DatagramSink sink) {
    this.sink = sink;
  }

  /** Takes a datagram with the low 16 bits of its number. */
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
      NavigableMap<Long, Held> waiting = holding.computeIfAbsent(bucket, _ -> new TreeMap<>());
      if (waiting.put(expected[bucket] + ahead, new Held(bytes, nowNanos)) == null) {
        held++;
      }
      if (held > MOST_HELD) {
        releaseOlderThan(Long.MAX_VALUE);
      }
    }
  }

  private void passInOrder(int bucket) {
    NavigableMap<Long, Held> waiting = holding.get(bucket);
    if (waiting == null) {
      return;
    }
    while (!waiting.isEmpty() && waiting.firstKey() == expected[bucket]) {
      pass(bucket, waiting);
    }
    if (waiting.isEmpty()) {
      holding.remove(bucket);
    }
  }

  private void pass(int bucket, NavigableMap<Long, Held> waiting) {
    Map.Entry<Long, Held> first = waiting.pollFirstEntry();
    held--;
    expected[bucket] = first.getKey() + 1;
    sink.arrived(first.getValue().bytes);
  }

  /**
   * Passes on what arrived at a time or before, and what is then in order.
   *
   * @param arrivedNanos Long.MAX_VALUE for all
   */
  void releaseOlderThan(long arrivedNanos) {
    for (Iterator<Map.Entry<Integer, NavigableMap<Long, Held>>> all = holding.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Integer, NavigableMap<Long, Held>> entry = all.next();
      int bucket = entry.getKey();
      NavigableMap<Long, Held> waiting = entry.getValue();
      while (!waiting.isEmpty() && oldest(waiting) <= arrivedNanos) {
        do {
          pass(bucket, waiting);
        } while (!waiting.isEmpty() && waiting.firstKey() == expected[bucket]);
      }
      if (waiting.isEmpty()) {
        all.remove();
      }
    }
  }

  private static long oldest(NavigableMap<Long, Held> waiting) {
    long oldest = NEVER;
    for (Held each : waiting.values()) {
      oldest = Math.min(oldest, each.arrivedNanos);
    }
    return oldest;
  }

  /** Returns when the datagram arrived that has waited longest, or {@link #NEVER}. */
  long oldestNanos() {
    long oldest = NEVER;
    for (NavigableMap<Long, Held> waiting : holding.values()) {
      oldest = Math.min(oldest, oldest(waiting));
    }
    return oldest;
  }

  int held() {
    return held;
  }

  /** Datagrams that came after they were no longer waited for. */
  long late() {
    return late;
  }
}
