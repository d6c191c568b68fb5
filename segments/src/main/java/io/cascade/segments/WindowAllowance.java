package io.cascade.segments;

/** Octets by which the windows of several streams may grow together. Thread-safe. */
public final class WindowAllowance {
  private long left;

  public WindowAllowance(long octets) {
    this.left = octets;
  }

  /** Allowance of streams whose memory somebody else bounds. */
  public static WindowAllowance unlimited() {
    return new WindowAllowance(Long.MAX_VALUE);
  }

  /** Takes so many octets, or none. */
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
