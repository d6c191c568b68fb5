package io.cascade.orchestrator.chains;

import java.util.UUID;
import java.util.function.Predicate;

/**
 * Rule that acts on single chains. A chain that another task works on is left to a later round, and
 * so is one whose last attempt failed recently ({@link Retries}).
 */
abstract class ChainUpkeepRule implements UpkeepRule, ChainMemory {
  final ChainBook book;
  final RelayCalls calls;
  final Retries retries;

  ChainUpkeepRule(ChainBook book, RelayCalls calls, Retries retries) {
    this.book = book;
    this.calls = calls;
    this.retries = retries;
  }

  @Override
  public void round() {
    for (Chain chain : book.unended()) {
      look(chain);
      if (!chain.work().isLocked() && retries.due(chain.id()) && needs(chain)) {
        soon(chain);
      }
    }
  }

  /** Updates what is known of a chain, in every round, whether or not it is due. */
  void look(Chain chain) {}

  /** Whether there is work to do for the chain. Checked again once the chain is locked. */
  abstract boolean needs(Chain chain);

  /** Does the work. No other task works on the chain meanwhile. May block on relays. */
  abstract void keep(Chain chain);

  /** Starts the work on a thread of its own. */
  void soon(Chain chain) {
    calls.soon(() -> keepIfFree(chain));
  }

  final void keepIfFree(Chain chain) {
    chain.ifFree(() -> {
      if (needs(chain)) {
        keep(chain);
      }
    });
  }

  @Override
  public void retain(Predicate<UUID> live) {
    retries.retain(live);
  }
}
