package io.cascade.relay.proxy;

import java.time.Duration;

/**
 * Measures the rate of one stream by its counters. Pauses of the client do not count: time in which
 * nothing moved counts up to {@link #CLIENT_PAUSE} if bytes of the client ended it, and up to
 * {@link #DESTINATION_PAUSE} if bytes of the destination did, since the network may have caused it.
 *
 * <p>Bytes towards the destination are counted when the kernel accepts them, so a stream that
 * mostly sends is measured only once the destination has answered or ended.
 */
final class StreamPace {
  static final Duration CLIENT_PAUSE = Duration.ofSeconds(1);
  static final Duration DESTINATION_PAUSE = Duration.ofSeconds(10);

  /** Bytes from which a stream determines a rate. */
  static final long BULK_BYTES = 256 << 10;

  /** Bytes from which a stream that lasted {@link #BULK_TIME} determines a rate. */
  static final long SLOW_BULK_BYTES = 64 << 10;

  static final Duration BULK_TIME = Duration.ofSeconds(2);

  private long forwardBytes;
  private long backwardBytes;
  private long movedAtNanos;
  private long activeNanos;
  private boolean answered;

  /**
   * The rate of a stream.
   *
   * @param bytes in the direction that carried more
   * @param activeNanos without the client's pauses
   * @param firstByteNanos from the stream's beginning to the destination's first byte; negative if
   *     none arrived
   * @param bulk whether it carried enough to determine a rate
   */
  record Achieved(long bytes, long activeNanos, long firstByteNanos, boolean bulk) {
    double bitsPerSecond() {
      return bytes * 8e9 / Math.max(1, activeNanos);
    }
  }

  StreamPace(long beganNanos) {
    this.movedAtNanos = beganNanos;
  }

  /** Records the bytes that were passed on so far. */
  void look(long forwardNow, long backwardNow, long nowNanos) {
    boolean client = forwardNow > forwardBytes;
    boolean destination = backwardNow > backwardBytes;
    if (!client && !destination) {
      return;
    }
    count(client ? CLIENT_PAUSE : DESTINATION_PAUSE, nowNanos);
    forwardBytes = forwardNow;
    backwardBytes = backwardNow;
    answered = destination;
  }

  /** Both directions have ended, so that everything was delivered. */
  void completed(long nowNanos) {
    if (!answered) {
      count(DESTINATION_PAUSE, nowNanos);
      answered = true;
    }
  }

  /** Whether more bytes came from the destination than were sent there. */
  boolean receives() {
    return backwardBytes > forwardBytes;
  }

  /**
   * @param firstByteNanos negative if the destination sent none
   */
  Achieved achieved(long firstByteNanos) {
    long bytes = Math.max(forwardBytes, backwardBytes);
    boolean enough =
        bytes >= BULK_BYTES || (bytes >= SLOW_BULK_BYTES && activeNanos >= BULK_TIME.toNanos());
    return new Achieved(bytes, activeNanos, firstByteNanos, enough && (receives() || answered));
  }

  private void count(Duration most, long nowNanos) {
    activeNanos += Math.min(nowNanos - movedAtNanos, most.toNanos());
    movedAtNanos = nowNanos;
  }
}
