package io.cascade.segments;

/**
 * The window of one direction. Where data is received it doubles when half of it was delivered
 * within two round trips: then it may be what limits the rate. Whoever reads slowly does not make
 * it grow. QUIC implementations have the same rule; TCP's receive buffers are sized to the same end
 * (dynamic right sizing, Fisk and Feng, 2001). Where data is sent it follows what the receiver
 * grants.
 */
final class WindowGrowth {
  private final int initial;
  private final int most;
  private final WindowAllowance allowance;
  private int octets;

  /** Offset and moment at which the part of the window began of which the time is taken. */
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
   * The receiver's window has moved on.
   *
   * @param offset where it begins now
   * @param roundTripNanos 0 where it is not known
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

  /** Grows to so many octets, as far as it may. */
  void reach(long wanted) {
    int more = (int) Math.min(wanted, most) - octets;
    if (more > 0 && allowance.take(more)) {
      octets += more;
    }
  }

  /** Gives back by what it has grown. The window is used no more. */
  void release() {
    allowance.giveBack(octets - initial);
    octets = initial;
  }
}
