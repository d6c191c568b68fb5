package io.cascade.relay.pump;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any thread reads, without the cost of contention. */
public final class Tally {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Tally.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through its handle
  private volatile long value;

  /** Adds. Called by the one writing thread. */
  public void add(long amount) {
    VALUE.setRelease(this, (long) VALUE.get(this) + amount);
  }

  /** Raises the number where it is less. Called by the one writing thread. */
  public void raiseTo(long least) {
    if (least > (long) VALUE.get(this)) {
      VALUE.setRelease(this, least);
    }
  }

  public long get() {
    return value;
  }
}
