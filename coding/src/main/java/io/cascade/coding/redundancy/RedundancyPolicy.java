package io.cascade.coding.redundancy;

/** Chooses between the next source symbol, a repair and nothing, whenever a packet may be sent. */
public sealed interface RedundancyPolicy permits SlidingDeficit, PaperBlocks, SelectiveRepeat {
  /** Chooses what to send now; the caller must send exactly that. */
  Choice choose(SendingView view);

  /** Whether {@link #choose} records what it chose, so that a choice must be carried out. */
  default boolean remembers() {
    return false;
  }

  /** Chooses the content of a probe after a time-out if {@link #choose} has nothing. */
  default Choice probe(SendingView view) {
    if (view.outstanding() > 0) {
      return SlidingDeficit.repair(view);
    }
    return Choice.NOTHING;
  }

  /** A packet with this source symbol is considered lost. */
  default void onSymbolLost(long id) {}

  /** A source symbol has been repeated. */
  default void onSymbolRepeated(long id) {}
}
