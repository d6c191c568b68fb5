package io.cascade.packets.processing;

/**
 * Detects whether a pipe delivers nothing that was sent over it: several packets are in flight, and
 * none has arrived for long. The result applies until something arrives.
 */
final class Silence {
  /** A single packet may be lost, and the two after it as well. */
  private static final int ENOUGH_PACKETS = 3;

  /**
   * Each failed try makes the sender cut its window, so tries become less frequent, up to this
   * time.
   */
  private static final long RAREST_TRIES_NANOS = 8_000_000_000L;

  private int unanswered;
  private boolean isSilent;

  /** Time at which the silence was detected. */
  private long foundNanos;

  /** Time at which something arrived, or at which the first packet in flight was sent. */
  private long sinceNanos;

  private long lastSentNanos;

  void sent(boolean fresh, long nowNanos) {
    if (fresh && unanswered++ == 0) {
      sinceNanos = nowNanos;
    }
    lastSentNanos = nowNanos;
  }

  /** The pipe delivers. */
  void broken(long nowNanos) {
    sinceNanos = nowNanos;
    isSilent = false;
  }

  /** A packet that was first sent over this pipe has arrived, over this one or another. */
  void answered() {
    unanswered = Math.max(0, unanswered - 1);
  }

  boolean isLongerThan(long nanos, long nowNanos) {
    if (!isSilent && unanswered >= ENOUGH_PACKETS && nowNanos - sinceNanos > nanos) {
      isSilent = true;
      foundNanos = nowNanos;
    }
    return isSilent;
  }

  /**
   * Whether a pipe that delivers nothing is tried again: after {@code leastNanos}, or, if longer,
   * after as long as it has been silent, so that its recovery is detected within twice the time of
   * the failure.
   *
   * @param leastNanos between two tries
   */
  boolean isTriedAgain(long leastNanos, long nowNanos) {
    long silentNanos = lastSentNanos - foundNanos;
    return nowNanos - lastSentNanos
        >= Math.max(leastNanos, Math.min(RAREST_TRIES_NANOS, silentNanos));
  }
}
