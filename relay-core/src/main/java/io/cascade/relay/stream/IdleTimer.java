package io.cascade.relay.stream;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a stream in which no byte has moved for too long. Reads the stream's counters from time to
 * time, so that moving a byte costs nothing; at most a small part of the limit late. Runs on the
 * stream's event loop.
 */
final class IdleTimer {
  private static final int LOOKS = 16;

  /**
   * Longest idle time of a half-closed stream whose client never sent a byte: no server computes an
   * answer for it.
   */
  static final Duration UNUSED = Duration.ofMinutes(5);

  private final RelayStream stream;
  private final LongSupplier nanoTime;
  private long movedBytes;
  private long sinceNanos;
  private boolean halfClosed;
  private @Nullable ScheduledFuture<?> timer;

  IdleTimer(RelayStream stream, LongSupplier nanoTime) {
    this.stream = stream;
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
  }

  /** A direction has ended, so the idle time of the other is bounded. */
  void halfClosed() {
    if (!halfClosed) {
      halfClosed = true;
      look();
    }
  }

  void cancel() {
    ScheduledFuture<?> running = timer;
    if (running != null) {
      running.cancel(false);
    }
  }

  /** Ends the stream, or schedules the next check. */
  void look() {
    if (!stream.mayBeStill()) {
      return;
    }
    Duration idle = stream.settings().idleTimeout();
    Duration half = halfClosed ? halfCloseTimeout() : Duration.ZERO;
    boolean byHalfClose = !half.isZero() && (idle.isZero() || half.compareTo(idle) < 0);
    Duration limit = byHalfClose ? half : idle;
    cancel();
    if (limit.isZero()) {
      return;
    }
    long left = limit.toNanos() - stillNanos(stream.movedBytes());
    if (left <= 0) {
      stream.end(
          byHalfClose
              ? new CloseReason.HalfCloseTimeout(limit)
              : new CloseReason.IdleTimeout(limit));
      return;
    }
    EventLoop loop = stream.inlet().eventLoop();
    timer =
        loop.schedule(this::look, Math.min(left, limit.toNanos() / LOOKS), TimeUnit.NANOSECONDS);
  }

  private Duration halfCloseTimeout() {
    return halfCloseTimeout(stream.settings().halfCloseTimeout(), stream.isUsed());
  }

  /**
   * @param said limit set by the chain; zero for none
   * @param used whether the client has sent a byte
   */
  static Duration halfCloseTimeout(Duration said, boolean used) {
    return used || said.compareTo(UNUSED) < 0 ? said : UNUSED;
  }

  /** Nanoseconds for which no byte has moved, as far as the checks show. */
  private long stillNanos(long moved) {
    long now = nanoTime.getAsLong();
    if (moved != movedBytes) {
      movedBytes = moved;
      sinceNanos = now;
    }
    return now - sinceNanos;
  }
}
