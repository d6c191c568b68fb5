package io.cascade.packets.processing;

/**
 * Whether a pipe delivers nothing of what it was given: several packets are under way, and none has
 * arrived for long. What was found holds until something arrives.
 */
final class Silence {
  /** A single packet may be lost, and the two behind it with it. */
  private static final int ENOUGH_PACKETS = 3;

  /** Each try in vain makes the sender cut its window: they get rarer, up to this. */
  private static final long RAREST_TRIES_NANOS = 8_000_000_000L;

  private int unanswered;
  private boolean isSilent;

  /** Moment at which the silence was found. */
  private long foundNanos;

  /** Moment at which something arrived, or the first packet was sent that is under way. */
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

  /** A packet that was first sent by this pipe has arrived, by this one or by another. */
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
   * Whether a pipe that delivers nothing is tried again: after a while, or as long as it has been
   * silent already, so that it is found again within twice the time for which it was cut.
   *
   * @param leastNanos between two tries
   */
  boolean isTriedAgain(long leastNanos, long nowNanos) {
    long silentNanos = lastSentNanos - foundNanos;
    return nowNanos - lastSentNanos
        >= Math.max(leastNanos, Math.min(RAREST_TRIES_NANOS, silentNanos));
  }
}
