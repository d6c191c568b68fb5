package io.cascade.relay.pump;

import io.cascade.carriage.transport.BudgetedReceive;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Account of one direction: the bytes moved, the memory it holds and may hold, and its waiting
 * times. One thread counts and any thread reads, without contention.
 *
 * <p>Memory is charged to the direction's own limit and to its event loop's share of the relay's
 * budget. One object instead of one per number, since every idle stream has two of them.
 */
@SuppressWarnings("UnusedVariable") // its fields are accessed through their handles
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
   * @param limit most memory that the direction may hold, in bytes
   */
  Account(MemoryBudget.Ledger ledger, long limit) {
    this.ledger = ledger;
    this.limit = limit;
  }

  /** Counts bytes that arrived from the source. */
  void came(long bytes) {
    add(CAME, bytes);
  }

  /** Counts bytes that the sink has accepted. */
  void went(long bytes) {
    add(WENT, bytes);
  }

  /** Counts bytes that the sink has accepted without passing through this process. */
  void wentSpliced(long bytes) {
    add(WENT, bytes);
    add(SPLICED, bytes);
  }

  /** Adds held memory. */
  void charge(int bytes) {
    holds(bytes);
    ledger.charge(bytes);
  }

  /** Subtracts held memory. */
  void discharge(int bytes) {
    holds(-bytes);
    ledger.release(bytes);
  }

  /** Reserves the bytes of a read that is in progress; zero once it is over. */
  void reserve(int bytes) {
    ledger.reserve(bytes);
  }

  /** Sets the bytes that a handler before the pump has read and still holds. */
  void carries(int now) {
    if (now > carried) {
      charge(now - carried);
    } else if (now < carried) {
      discharge(carried - now);
    }
    carried = now;
  }

  /**
   * Bytes that may be read now; negative if too much is held.
   *
   * <p>Half a record held by a handler cannot be passed on before the rest has been read. So the
   * relay's budget does not count it: otherwise the read would wait for memory, and the memory for
   * the read.
   */
  long allowance() {
    long now = heldBytes();
    long room = Math.min(limit - GRACE_BYTES - now, ledger.allowance(now - carried));
    return Math.min(room, quantum().bytes());
  }

  /** Whether the direction's own limit leaves room for {@code bytes}. */
  boolean hasRoomFor(int bytes) {
    return limit - GRACE_BYTES - heldBytes() >= bytes;
  }

  /** Whether exactly {@code memory} is held, apart from what a handler holds. */
  boolean holdsOnly(long memory) {
    return memory == heldBytes() - carried;
  }

  /** Limit of a single read on this event loop. */
  ReadQuantum quantum() {
    return ledger.quantum();
  }

  /** Clock of the direction's waiting times. */
  StallClock stalls() {
    return stalls;
  }

  /** The direction's waiting times so far. */
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

  /** Part of {@link #bytesOut()} that did not pass through this process. */
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
