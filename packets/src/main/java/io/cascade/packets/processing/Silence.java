package io.cascade.packets.processing;

/** How long a pipe has been given packets of which none arrived. */
final class Silence {
  /** A single packet may be lost, and the two behind it with it. */
  private static final int ENOUGH_PACKETS = 3;

  private static final long BETWEEN_TRIES_NANOS = 1_000_000_000L;

  private int unanswered;
  private long sinceNanos;
  private long lastSentNanos;

  void sent(boolean fresh, long nowNanos) {
    if (fresh && unanswered++ == 0) {
      sinceNanos = nowNanos;
    }
    lastSentNanos = nowNanos;
  }

  void broken() {
    unanswered = 0;
  }

  boolean isLongerThan(long nanos, long nowNanos) {
    return unanswered >= ENOUGH_PACKETS && nowNanos - sinceNanos > nanos;
  }

  boolean isTriedAgain(long nowNanos) {
    return nowNanos - lastSentNanos >= BETWEEN_TRIES_NANOS;
  }
}
