package io.cascade.relay.pump;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread changes and any thread reads, without the cost of contention. */
public final class Tally {
  private final AtomicLong value = new AtomicLong();

  /** By the one writing thread. */
  public void add(long amount) {
    value.lazySet(value.getPlain() + amount);
  }

  /** By the one writing thread. */
  public void raiseTo(long least) {
    if (least > value.getPlain()) {
      value.lazySet(least);
    }
  }

  public long get() {
    return value.get();
  }
}
