package io.cascade.carriage.coded;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places for a relay's concurrent sessions: a busy one holds its windows on the heap, and all
 * together may use half of it. Thread-safe.
 */
public final class SessionPlaces {
  /** Three windows of symbols, and equations besides them. */
  static final long SESSION_BYTES = 20L << 20;

  private final int most;
  private final AtomicInteger taken = new AtomicInteger();

  /**
   * @param heapBytes the maximum size of the heap
   */
  public SessionPlaces(long heapBytes) {
    this.most = Math.clamp(heapBytes / 2 / SESSION_BYTES, 1, 10_000);
  }

  int most() {
    return most;
  }

  /** Takes a place; false if there is none. */
  boolean take() {
    return take(most);
  }

  /** Takes a place while fewer than half of all are taken. */
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

  /** Number of sessions that are established or beginning. */
  public int taken() {
    return taken.get();
  }
}
