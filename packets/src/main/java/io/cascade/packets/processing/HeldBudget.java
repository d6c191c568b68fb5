package io.cascade.packets.processing;

/** Bytes that the combiners of all connections may hold together, and how long they held them. */
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

  /** Whether {@code bytes} more may be held; if so, they are counted. */
  boolean take(int bytes) {
    if (held + bytes > most) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Counts a packet as released, after the given time. */
  void giveBack(int bytes, long nanos) {
    held -= bytes;
    releasedPackets++;
    releasedNanos += nanos;
  }

  /** Number of packets that were held and released. */
  public long releasedPackets() {
    return releasedPackets;
  }

  /** Returns the total time for which those were held. */
  public long releasedNanos() {
    return releasedNanos;
  }

  /** Bytes held at present. */
  public long held() {
    return held;
  }
}
