package io.cascade.packets.processing;

/**
 * Whether a pipe delivers nothing of what it was given: several packets are under way, and none has
 * arrived for long. What was found holds until something arrives.
 */
final class Silence {
  /** A single packet may be lost, and the two behind it with it. */
  private static final int ENOUGH_PACKETS = 3;

  private int unanswered;
  private boolean isSilent;

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
    isSilent |= unanswered >= ENOUGH_PACKETS && nowNanos - sinceNanos > nanos;
    return isSilent;
  }

  /**
   * @param betweenTriesNanos how long a pipe that delivers nothing is left alone
   */
  boolean isTriedAgain(long betweenTriesNanos, long nowNanos) {
    return nowNanos - lastSentNanos >= betweenTriesNanos;
  }
}
