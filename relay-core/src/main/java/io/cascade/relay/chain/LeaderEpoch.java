package io.cascade.relay.chain;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The greatest epoch of an orchestrator that has called this relay. Each orchestrator that becomes
 * the leader has a greater one than all before it, so a smaller one is of an orchestrator that
 * leads no more, whether or not it knows that. Thread-safe.
 */
public final class LeaderEpoch {
  private final AtomicLong greatest = new AtomicLong();

  /**
   * Hears of an epoch.
   *
   * @param epoch 0 where the caller names none
   * @throws PartRefused where a greater one was heard of before
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
