package io.cascade.relay.chain;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The greatest epoch of an orchestrator that has called this relay. Each orchestrator that becomes
 * the leader has a greater epoch than all before it. So a smaller epoch belongs to an orchestrator
 * that no longer leads, even if it does not know that yet. Thread-safe.
 */
public final class LeaderEpoch {
  private final AtomicLong greatest = new AtomicLong();

  /**
   * Records an epoch.
   *
   * @param epoch 0 where the caller names none
   * @throws PartRefused if a greater one was recorded before
   */
  public void hear(long epoch) throws PartRefused {
    long known = greatest.accumulateAndGet(epoch, Math::max);
    if (epoch < known) {
      throw new PartRefused(
          PartRefused.Kind.STALE_EPOCH,
          "epoch: "
              + (epoch == 0 ? "none" : Long.toString(epoch))
              + " (expected: at least "
              + known
              + ", of the orchestrator that leads now)");
    }
  }

  /** The greatest so far; 0 before the first. */
  public long greatest() {
    return greatest.get();
  }
}
