package io.cascade.relay.throughput;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that throughput tests may move in any hour. Bytes are reserved before a test, and those
 * that it did not move are returned after it. Reservations within the same minute expire together,
 * an hour after the last moment of that minute, so that never more than {@code hourBytes} move
 * within an hour.
 */
final class TestBudget {
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private final long hourBytes;
  private final LongSupplier nanoClock;
  private final Deque<Minute> minutes = new ArrayDeque<>(); // 61 at most

  /** Bytes that were reserved within a minute. */
  private static final class Minute {
    final long startNanos;
    long bytes;

    Minute(long startNanos) {
      this.startNanos = startNanos;
    }
  }

  /** Reserved bytes of one test. */
  final class Taken {
    private final Minute from;
    private long bytes;

    private Taken(Minute from, long bytes) {
      this.from = from;
      this.bytes = bytes;
    }

    /** Returns all but {@code moved} bytes; bytes that were returned before stay so. */
    void settle(long moved) {
      synchronized (TestBudget.this) {
        long unused = Math.max(0, bytes - moved);
        bytes -= unused;
        from.bytes -= unused;
      }
    }
  }

  /**
   * @param hourBytes 0 for none
   */
  TestBudget(long hourBytes, LongSupplier nanoClock) {
    this.hourBytes = hourBytes;
    this.nanoClock = nanoClock;
  }

  long hourBytes() {
    return hourBytes;
  }

  synchronized long leftBytes() {
    forget(nanoClock.getAsLong());
    return hourBytes - usedBytes();
  }

  /** Reserves bytes; null if fewer are left. */
  synchronized @Nullable Taken take(long bytes) {
    long now = nanoClock.getAsLong();
    forget(now);
    if (bytes > hourBytes - usedBytes()) {
      return null;
    }
    Minute last = minutes.peekLast();
    if (last == null || now - last.startNanos >= MINUTE_NANOS) {
      last = new Minute(now);
      minutes.addLast(last);
    }
    last.bytes += bytes;
    return new Taken(last, bytes);
  }

  /** Upper bound of the time until so many bytes are left; null if they never are. */
  synchronized @Nullable Duration waitFor(long bytes) {
    if (bytes > hourBytes) {
      return null;
    }
    long now = nanoClock.getAsLong();
    forget(now);
    long missing = bytes - (hourBytes - usedBytes());
    Iterator<Minute> oldest = minutes.iterator();
    Duration wait = Duration.ZERO;
    while (missing > 0 && oldest.hasNext()) {
      Minute next = oldest.next();
      missing -= next.bytes;
      wait = Duration.ofNanos(next.startNanos + MINUTE_NANOS + HOUR_NANOS - now);
    }
    return wait;
  }

  private void forget(long now) {
    Minute oldest = minutes.peekFirst();
    while (oldest != null && now - oldest.startNanos >= MINUTE_NANOS + HOUR_NANOS) {
      minutes.removeFirst();
      oldest = minutes.peekFirst();
    }
  }

  private long usedBytes() {
    return minutes.stream().mapToLong(minute -> minute.bytes).sum();
  }
}
