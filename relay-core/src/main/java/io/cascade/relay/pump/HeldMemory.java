package io.cascade.relay.pump;

/**
 * Memory that is held for a stream outside of its pumps, counted in the relay's budget. On the
 * event loop of its ledger, but for {@link #bytes}.
 */
public final class HeldMemory {
  private final MemoryBudget.Ledger ledger;
  private volatile long bytes;

  public HeldMemory(MemoryBudget.Ledger ledger) {
    this.ledger = ledger;
  }

  /** Holds so many bytes from now on. */
  public void set(long now) {
    long change = now - bytes;
    if (change > 0) {
      ledger.charge((int) change);
    } else if (change < 0) {
      ledger.release((int) -change);
    }
    bytes = now;
  }

  /** Bytes that may be held beyond those held now; less than zero where too much is held. */
  public long allowance() {
    return ledger.allowance(bytes);
  }

  /** Bytes that are held. From any thread. */
  public long bytes() {
    return bytes;
  }
}
