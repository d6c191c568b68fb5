package io.cascade.packets.processing;

/** Bytes that the combiners of all connections may hold together. */
public final class HeldBudget {
  private final long most;
  private long held;

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

  void giveBack(int bytes) {
    held -= bytes;
  }

  /** Bytes now. */
  public long held() {
    return held;
  }
}
