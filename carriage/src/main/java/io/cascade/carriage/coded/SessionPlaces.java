package io.cascade.carriage.coded;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places for the sessions that a relay may have at a time: a busy one holds its windows on the
 * heap, of which all together may take half. From any thread.
 */
public final class SessionPlaces {
  /** Three windows of symbols, and equations beside them. */
  static final long SESSION_BYTES = 20L << 20;

  private final int most;
  private final AtomicInteger taken = new AtomicInteger();

  /**
   * @param heapBytes the most that the heap may grow to
   */
  public SessionPlaces(long heapBytes) {
    this.most = Math.clamp(heapBytes / 2 / SESSION_BYTES, 1, 10_000);
  }

  int most() {
    return most;
  }

  /** Takes a place; false where there is none. */
  boolean take() {
    return take(most);
  }

  /** Takes a place as long as half of them stay free for others. */
  boolean takeAsGuest() {
    return take((most + 1) / 2);
  }

  private boolean take(int limit) {
    if (taken.incrementAndGet() > limit) {
      taken.decrementAndGet();
      return false;
    }
    return true;
  }

  void free() {
    taken.decrementAndGet();
  }

  /** Sessions that stand or begin. */
  public int taken() {
    return taken.get();
  }
}
