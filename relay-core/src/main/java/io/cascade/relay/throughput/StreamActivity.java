package io.cascade.relay.throughput;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Whether the relay's streams have moved bulk of late: more than {@value #BULK_BITS_PER_SECOND}
 * bit/s over the last second. Whoever wants to know has to {@link #look} a few times a second.
 */
public final class StreamActivity {
  static final long BULK_BITS_PER_SECOND = 1_000_000;
  private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

  /** Looks in quick succession share a reading, which bounds how many are kept. */
  private static final long LEAST_BETWEEN_NANOS = Duration.ofMillis(20).toNanos();

  private final LongSupplier movedBytes;
  private final LongSupplier nanoClock;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private long mostBytes;

  private record Reading(long nanos, long bytes) {}

  /**
   * @param movedBytes by all streams since the relay started. It may miss a stream for a moment
   *     while that ends, and never counts one twice.
   */
  public StreamActivity(LongSupplier movedBytes, LongSupplier nanoClock) {
    this.movedBytes = movedBytes;
    this.nanoClock = nanoClock;
  }

  /** Notes what has been moved by now. From any thread. */
  public void look() {
    boolean _ = movesBulk();
  }

  /** Looks, and compares with what had been moved a second ago. */
  synchronized boolean movesBulk() {
    long now = nanoClock.getAsLong();
    mostBytes = Math.max(mostBytes, movedBytes.getAsLong());
    Reading last = readings.peekLast();
    if (last == null || now - last.nanos >= LEAST_BETWEEN_NANOS) {
      readings.addLast(new Reading(now, mostBytes));
    }
    Reading oldest = readings.removeFirst();
    while (!readings.isEmpty() && now - readings.getFirst().nanos >= WINDOW_NANOS) {
      oldest = readings.removeFirst();
    }
    readings.addFirst(oldest);
    double seconds = Math.max(now - oldest.nanos, WINDOW_NANOS) / 1e9;
    return (mostBytes - oldest.bytes) * 8 / seconds > BULK_BITS_PER_SECOND;
  }
}
