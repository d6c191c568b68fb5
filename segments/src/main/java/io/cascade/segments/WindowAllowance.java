package io.cascade.segments;

/** Octets by which the windows of several streams may grow together. Thread-safe. */
public final class WindowAllowance {
  private long left;

  public WindowAllowance(long octets) {
    this.left = octets;
  }

  /** Returns the allowance of streams whose memory is bounded elsewhere. */
  public static WindowAllowance unlimited() {
    return new WindowAllowance(Long.MAX_VALUE);
  }

  /** Takes {@code octets}, or none. */
  synchronized boolean take(long octets) {
    if (left < octets) {
      return false;
    }
    left -= octets;
    return true;
  }

  synchronized void giveBack(long octets) {
    left += octets;
  }

  /** Octets that are left. */
  public synchronized long left() {
    return left;
  }
}
