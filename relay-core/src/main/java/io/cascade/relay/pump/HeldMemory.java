package io.cascade.relay.pump;

import io.cascade.carriage.junction.JunctionMemory;

/**
 * Memory that is held for a stream outside its pumps, counted in the relay's budget. Used on the
 * event loop of its ledger, except {@link #bytes}.
 */
public final class HeldMemory implements JunctionMemory {
  private final MemoryBudget.Ledger ledger;
  private volatile long bytes;

  public HeldMemory(MemoryBudget.Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void set(long now) {
    long change = now - bytes;
    if (change > 0) {
      ledger.charge((int) change);
    } else if (change < 0) {
      ledger.release((int) -change);
    }
    bytes = now;
  }

  @Override
  public long allowance() {
    return ledger.allowance(bytes);
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
