package io.cascade.orchestrator.chains;

import java.util.UUID;
import java.util.function.Predicate;

/**
 * A rule that does something with single chains. A chain that another task works on is left to a
 * later round, and so is one for which the last attempt failed a short while ago ({@link Retries}).
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

  /** Notes what there is to be noted of a chain, whether or not it is due. */
  void look(Chain chain) {}

  /** Whether there is something to do. Asked again before it is done. */
  abstract boolean needs(Chain chain);

  /** Does it. No other task works on the chain meanwhile. May wait for relays. */
  abstract void keep(Chain chain);

  /** Begins it on a thread of its own. */
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
