package io.cascade.client.transfer.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * Rate limit of all connections of a transfer together. They write small pieces, so that no burst
 * exceeds {@value #PIECE_MILLIS} ms.
 */
public final class RateLimit {
  /** No limit. */
  public static final RateLimit NONE = new RateLimit(Long.MAX_VALUE);

  private static final int PIECE_MILLIS = 20;
  private static final int LEAST_PIECE = 1_400;
  private static final int LARGEST_PIECE = 64 * 1024;

  private final long bitsPerSecond;

  /** Time from which the next piece may be written. */
  private long nextNanos = System.nanoTime();

  private RateLimit(long bitsPerSecond) {
    this.bitsPerSecond = bitsPerSecond;
  }

  /**
   * @param bitsPerSecond at least 1
   */
  public static RateLimit of(long bitsPerSecond) {
    if (bitsPerSecond < 1) {
      throw new IllegalArgumentException(
          "bitsPerSecond: " + bitsPerSecond + " (expected: at least 1)");
    }
    return new RateLimit(bitsPerSecond);
  }

  /** Returns the same connection within the limit. */
  public ByteConnection over(ByteConnection connection) {
    return this == NONE ? connection : new LimitedConnection(connection, this);
  }

  /**
   * Waits for its turn and writes one piece; without a limit everything.
   *
   * @return how many bytes were written
   */
  public int write(WritableByteChannel to, ByteBuffer from) throws IOException {
    if (this == NONE) {
      return to.write(from);
    }
    int length = Math.min(from.remaining(), pieceBytes());
    long wait = take(length, System.nanoTime());
    if (wait > 0) {
      LockSupport.parkNanos(wait);
    }
    ByteBuffer piece = from.slice(from.position(), length);
    while (piece.hasRemaining()) {
      to.write(piece);
    }
    from.position(from.position() + length);
    return length;
  }

  private int pieceBytes() {
    return (int)
        Math.clamp(bitsPerSecond / 8_000 * PIECE_MILLIS, (long) LEAST_PIECE, LARGEST_PIECE);
  }

  /**
   * Reserves the time of a piece among those of all connections. Unused time is not saved up.
   *
   * @param nowNanos by {@link System#nanoTime}
   * @return how long to wait before it may be written, in nanoseconds
   */
  synchronized long take(int bytes, long nowNanos) {
    long at = Math.max(nextNanos, nowNanos);
    nextNanos = at + Math.round(8e9 * bytes / bitsPerSecond);
    return at - nowNanos;
  }
}
