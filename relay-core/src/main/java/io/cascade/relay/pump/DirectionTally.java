package io.cascade.relay.pump;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a direction has moved and holds. One thread counts, any thread reads, without the cost of
 * contention. One object and not five {@link Tally}s, since every idle stream has two of them.
 */
@SuppressWarnings("UnusedVariable") // its fields are used through their handles
final class DirectionTally {
  private static final VarHandle CAME = handle("came");
  private static final VarHandle WENT = handle("went");
  private static final VarHandle SPLICED = handle("spliced");
  private static final VarHandle HELD = handle("held");
  private static final VarHandle MOST_HELD = handle("mostHeld");

  private volatile long came;
  private volatile long went;
  private volatile long spliced;
  private volatile long held;
  private volatile long mostHeld;

  void came(long bytes) {
    add(CAME, bytes);
  }

  void went(long bytes) {
    add(WENT, bytes);
  }

  void wentSpliced(long bytes) {
    add(WENT, bytes);
    add(SPLICED, bytes);
  }

  /** Memory, not bytes; less than 0 where some was given back. */
  void holds(long more) {
    add(HELD, more);
    long now = (long) HELD.get(this);
    if (now > (long) MOST_HELD.get(this)) {
      MOST_HELD.setRelease(this, now);
    }
  }

  long bytesIn() {
    return came;
  }

  long bytesOut() {
    return went;
  }

  long splicedBytes() {
    return spliced;
  }

  long heldBytes() {
    return held;
  }

  long peakHeldBytes() {
    return mostHeld;
  }

  private void add(VarHandle to, long amount) {
    to.setRelease(this, (long) to.get(this) + amount);
  }

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(DirectionTally.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
