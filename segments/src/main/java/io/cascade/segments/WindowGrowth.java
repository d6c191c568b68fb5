package io.cascade.segments;

/**
 * The window of one direction. At the receiver it doubles when half of it was delivered within two
 * round trips, since it may then limit the rate; a slow reader does not make it grow. QUIC
 * implementations have the same rule; TCP's receive buffers are sized for the same purpose (dynamic
 * right sizing, Fisk and Feng, 2001). At the sender it follows the receiver's grants.
 */
final class WindowGrowth {
  private final int initial;
  private final int most;
  private final WindowAllowance allowance;
  private int octets;

  /** Offset and time at which the present measurement began. */
  private long beganOffset;

  private long beganNanos;

  WindowGrowth(SegmentStream.Settings settings, long nowNanos) {
    this.initial = settings.capacityBytes();
    this.most = settings.mostBytes();
    this.allowance = settings.allowance();
    this.octets = initial;
    this.beganNanos = nowNanos;
  }

  /** The window's size. */
  int octets() {
    return octets;
  }

  /**
   * The receiver's window has moved.
   *
   * @param offset where it begins now
   * @param roundTripNanos 0 if unknown
   */
  void movedTo(long offset, double roundTripNanos, long nowNanos) {
    if (offset - beganOffset < octets / 2) {
      return;
    }
    boolean quick = nowNanos - beganNanos < 2 * roundTripNanos;
    beganOffset = offset;
    beganNanos = nowNanos;
    if (quick) {
      reach(2L * octets);
    }
  }

  /** Grows to so many octets, as far as allowed. */
  void reach(long wanted) {
    int more = (int) Math.min(wanted, most) - octets;
    if (more > 0 && allowance.take(more)) {
      octets += more;
    }
  }

  /** Returns what it has grown by. The window is no longer used. */
  void release() {
    allowance.giveBack(octets - initial);
    octets = initial;
  }
}
