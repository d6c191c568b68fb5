package io.cascade.relay.pump;

import io.cascade.carriage.transport.BudgetedReceive;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Account of one direction: what it has moved, what memory it holds and may hold, and what it has
 * waited for. One thread counts, any thread reads, without the cost of contention.
 *
 * <p>Memory is charged to the direction's own limit and to its event loop's share of the relay's
 * budget. One object and not one for each number, since every idle stream has two of them.
 */
@SuppressWarnings("UnusedVariable") // its fields are used through their handles
public final class Account {
  /**
   * Kept free below the limit for the few reads that cannot be refused, see {@link
   * BudgetedReceive}.
   */
  static final int GRACE_BYTES = 4_096;

  private static final VarHandle CAME = handle("came");
  private static final VarHandle WENT = handle("went");
  private static final VarHandle SPLICED = handle("spliced");
  private static final VarHandle HELD = handle("held");
  private static final VarHandle MOST_HELD = handle("mostHeld");

  private final MemoryBudget.Ledger ledger;
  private final long limit;
  private final StallClock stalls = new StallClock();

  private volatile long came;
  private volatile long went;
  private volatile long spliced;
  private volatile long held;
  private volatile long mostHeld;
  private int carried;

  /**
   * @param limit the most memory that the direction may hold, in bytes
   */
  Account(MemoryBudget.Ledger ledger, long limit) {
    this.ledger = ledger;
    this.limit = limit;
  }

  /** Bytes came from the source. */
  void came(long bytes) {
    add(CAME, bytes);
  }

  /** Bytes are the sink's. */
  void went(long bytes) {
    add(WENT, bytes);
  }

  /** Bytes are the sink's that never came into this process. */
  void wentSpliced(long bytes) {
    add(WENT, bytes);
    add(SPLICED, bytes);
  }

  /** Holds more memory from now on. */
  void charge(int bytes) {
    holds(bytes);
    ledger.charge(bytes);
  }

  /** Holds less memory from now on. */
  void discharge(int bytes) {
    holds(-bytes);
    ledger.release(bytes);
  }

  /** A read of so many bytes is under way; zero once it is over. */
  void reserve(int bytes) {
    ledger.reserve(bytes);
  }

  /** A handler before the pump holds so much of what it has read. */
  void carries(int now) {
    if (now > carried) {
      charge(now - carried);
    } else if (now < carried) {
      discharge(carried - now);
    }
    carried = now;
  }

  /**
   * Bytes that may be read at once now; less than zero where too much is held.
   *
   * <p>Half a record that a handler carries cannot be passed on before its rest has been read. The
   * relay's budget therefore does not count it: otherwise the read would wait for memory, and the
   * memory for the read.
   */
  long allowance() {
    long now = heldBytes();
    long room = Math.min(limit - GRACE_BYTES - now, ledger.allowance(now - carried));
    return Math.min(room, quantum().bytes());
  }

  /** Whether the direction's own limit leaves room for so much. */
  boolean hasRoomFor(int bytes) {
    return limit - GRACE_BYTES - heldBytes() >= bytes;
  }

  /** Whether all that is held is {@code memory}, beside what a handler carries. */
  boolean holdsOnly(long memory) {
    return memory == heldBytes() - carried;
  }

  /** Limit of a single read on this event loop. */
  ReadQuantum quantum() {
    return ledger.quantum();
  }

  /** Clock of the times that the direction waits. */
  StallClock stalls() {
    return stalls;
  }

  /** Times that the direction has waited until now. */
  public Stalls waited() {
    return stalls.read();
  }

  long limit() {
    return limit;
  }

  public long bytesIn() {
    return came;
  }

  public long bytesOut() {
    return went;
  }

  /** Part of {@link #bytesOut()} that never came into this process. */
  public long splicedBytes() {
    return spliced;
  }

  public long heldBytes() {
    return held;
  }

  public long peakHeldBytes() {
    return mostHeld;
  }

  private void holds(long more) {
    add(HELD, more);
    long now = (long) HELD.get(this);
    if (now > (long) MOST_HELD.get(this)) {
      MOST_HELD.setRelease(this, now);
    }
  }

  private void add(VarHandle to, long amount) {
    to.setRelease(this, (long) to.get(this) + amount);
  }

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(Account.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
