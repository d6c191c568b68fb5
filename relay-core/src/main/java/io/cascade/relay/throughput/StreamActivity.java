package io.cascade.relay.throughput;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Detects whether the relay's streams have recently moved bulk: more than {@value
 * #BULK_BITS_PER_SECOND} bit/s over the last second, or {@value #BEGINNING_BYTES} bytes in the last
 * 150 ms. So a stream is noticed in its second or third round trip, before its slow start meets the
 * queue of a test. Users must call {@link #look} a few times a second.
 */
public final class StreamActivity {
  static final long BULK_BITS_PER_SECOND = 1_000_000;
  private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

  static final long BEGINNING_BYTES = 32 << 10;
  private static final long BEGINNING_NANOS = Duration.ofMillis(150).toNanos();

  /** Calls in quick succession share a reading, which bounds the number of readings. */
  private static final long LEAST_BETWEEN_NANOS = Duration.ofMillis(20).toNanos();

  private final LongSupplier movedBytes;
  private final LongSupplier nanoClock;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private long mostBytes;

  private record Reading(long nanos, long bytes) {}

  /**
   * @param movedBytes by all streams since the relay started. It may miss a stream for a moment
   *     while that ends, but never counts one twice.
   */
  public StreamActivity(LongSupplier movedBytes, LongSupplier nanoClock) {
    this.movedBytes = movedBytes;
    this.nanoClock = nanoClock;
  }

  /** Records what has been moved so far. May be called from any thread. */
  public synchronized void look() {
    Reading _ = oldestAfterLook(nanoClock.getAsLong());
  }

  /** Records a reading and compares it with that of a second ago. */
  synchronized boolean movesBulk() {
    long now = nanoClock.getAsLong();
    Reading oldest = oldestAfterLook(now);
    return bytesPer(WINDOW_NANOS, oldest, now) * Byte.SIZE > BULK_BITS_PER_SECOND
        || readings.stream()
            .anyMatch(reading -> bytesPer(BEGINNING_NANOS, reading, now) > BEGINNING_BYTES);
  }

  /** Adds a reading and drops those older than the window, except the newest of these. */
  private Reading oldestAfterLook(long now) {
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
    return oldest;
  }

  /**
   * Bytes moved in a window: those since a reading, or their share if the reading is older than the
   * window.
   */
  private double bytesPer(long windowNanos, Reading since, long now) {
    double windows = Math.max(1, (double) (now - since.nanos) / windowNanos);
    return (mostBytes - since.bytes) / windows;
  }
}
