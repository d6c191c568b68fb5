package io.cascade.relay.pump;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The memory that all streams of a relay may hold together, shared by dynamic thresholds: a
 * direction may hold at most as much as is still free (Choudhury and Hahne, "Dynamic queue length
 * thresholds for shared-memory packet switches", 1998, with alpha = 1).
 *
 * <p>So a single stream gets all that its own limit allows, many streams share, a new one always
 * finds room, and no direction waits for another: a direction that holds nothing may always read
 * {@link #FLOOR_BYTES}. Each event loop counts separately, so that no counter is contended.
 */
public final class MemoryBudget {
  /** Bytes that an empty direction may read even when the budget is spent. */
  public static final int FLOOR_BYTES = 4_096;

  private volatile long totalBytes;

  /** Bytes that other classes hold on account of streams. */
  private volatile LongSupplier elsewhere = () -> 0;

  /** Replaced when one is added. An array, since it is iterated before every read. */
  private volatile Ledger[] ledgers = {};

  /**
   * @param totalBytes at least 1 MiB
   */
  public MemoryBudget(long totalBytes) {
    resize(totalBytes);
  }

  /**
   * Changes the budget. If more is already held, directions read again once they hold less.
   *
   * @param newTotalBytes at least 1 MiB
   */
  public void resize(long newTotalBytes) {
    if (newTotalBytes < 1 << 20) {
      throw new IllegalArgumentException("totalBytes: " + newTotalBytes + " (expected: >= 1 MiB)");
    }
    totalBytes = newTotalBytes;
  }

  /** Makes the ledger of one event loop. */
  public synchronized Ledger newLedger() {
    Ledger ledger = new Ledger();
    Ledger[] more = Arrays.copyOf(ledgers, ledgers.length + 1);
    more[more.length - 1] = ledger;
    ledgers = more;
    return ledger;
  }

  /** Also counts bytes that other classes hold on account of streams. */
  public void holdAlso(LongSupplier bytes) {
    elsewhere = bytes;
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** Stream bytes held at present, over all event loops. */
  public long heldBytes() {
    long held = elsewhere.getAsLong();
    for (Ledger ledger : ledgers) {
      held += ledger.held.get() + ledger.reserved.get();
    }
    return held;
  }

  /** One event loop's account. Charged on the loop's thread only, read by all. */
  public final class Ledger {
    private final SingleWriterCounter held = new SingleWriterCounter();
    private final SingleWriterCounter reserved = new SingleWriterCounter();
    private final ReadQuantum quantum = new ReadQuantum();

    private Ledger() {}

    /**
     * Bytes that a direction that already holds {@code directionHeld} may take at once. All loops
     * that ask at the same moment, before any has reserved its share, fit into the free memory
     * together.
     */
    long allowance(long directionHeld) {
      long free = totalBytes - heldBytes();
      long most = Math.min(free - directionHeld, free / ledgers.length);
      return directionHeld == 0 ? Math.max(most, FLOOR_BYTES) : most;
    }

    /** Limit of a single read on this loop. */
    ReadQuantum quantum() {
      return quantum;
    }

    /** Reserves the most that the read in progress may bring; zero once it is over. */
    void reserve(int bytes) {
      reserved.add(bytes - reserved.get());
    }

    void charge(int bytes) {
      held.add(bytes);
    }

    void release(int bytes) {
      held.add(-bytes);
    }
  }
}
