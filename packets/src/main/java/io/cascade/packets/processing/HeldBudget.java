package io.cascade.packets.processing;

/** Bytes that the combiners of all connections may hold together, and how long they did. */
public final class HeldBudget {
  private final long most;
  private long held;
  private long releasedPackets;
  private long releasedNanos;

  /**
   * @param most at least 0
   */
  public HeldBudget(long most) {
    if (most < 0) {
      throw new IllegalArgumentException("held bytes: " + most + " (expected: >= 0)");
    }
    this.most = most;
  }

  /** Whether so many more may be held; they count from here on. */
  boolean take(int bytes) {
    if (held + bytes > most) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** A packet of so many bytes is no longer held, after so long. */
  void giveBack(int bytes, long nanos) {
    held -= bytes;
    releasedPackets++;
    releasedNanos += nanos;
  }

  /** Packets that were held and are no longer. */
  public long releasedPackets() {
    return releasedPackets;
  }

  /** Returns how long those were held, all together. */
  public long releasedNanos() {
    return releasedNanos;
  }

  /** Bytes now. */
  public long held() {
    return held;
  }
}
