package io.cascade.client.transfer.schedule;

/**
 * Forecast of what a connection carries, or several together: the basis of earliest-completion
 * scheduling, as Linux's MPTCP scheduler ECF has it (Lim et al., CoNEXT 2017).
 *
 * @param underWayBytes sent and not confirmed yet
 * @param bitsPerSecond at which they arrive; 0 where nothing has arrived recently
 * @param leastSeconds that a block takes, however little is in flight
 */
record Forecast(long underWayBytes, double bitsPerSecond, double leastSeconds) {
  static Forecast of(long underWayBytes, Pace pace, long nowNanos) {
    return new Forecast(
        underWayBytes, pace.recentBitsPerSecond(nowNanos), pace.leastDelayNanos() / 1e9);
  }

  /** Both together. */
  Forecast with(Forecast other) {
    return new Forecast(
        underWayBytes + other.underWayBytes,
        bitsPerSecond + other.bitsPerSecond,
        Math.min(leastSeconds, other.leastSeconds));
  }

  /** Seconds until so many more bytes will have arrived, after those in flight. */
  double secondsUntil(long moreBytes) {
    return bitsPerSecond == 0
        ? Double.POSITIVE_INFINITY
        : Math.max(leastSeconds, 8 * (underWayBytes + moreBytes) / bitsPerSecond);
  }

  /**
   * Whether a block over this connection arrives before the others could have carried everything
   * left. A block that arrives later would delay the end of the transfer.
   *
   * @param unsentBytes left, the block among them
   */
  boolean finishesBefore(Forecast others, int blockBytes, long unsentBytes) {
    return secondsUntil(blockBytes) <= others.secondsUntil(unsentBytes);
  }
}
