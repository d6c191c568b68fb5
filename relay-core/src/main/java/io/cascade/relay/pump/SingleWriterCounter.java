package io.cascade.relay.pump;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number that one thread changes and any thread reads, without contention. */
public final class SingleWriterCounter {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(SingleWriterCounter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // accessed through its handle
  private volatile long value;

  /** Adds. Called by the one writing thread. */
  public void add(long amount) {
    VALUE.setRelease(this, (long) VALUE.get(this) + amount);
  }

  public long get() {
    return value;
  }
}
