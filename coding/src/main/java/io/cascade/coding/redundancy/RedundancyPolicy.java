package io.cascade.coding.redundancy;

/** Chooses between the next source symbol, a repair and nothing, whenever a packet may be sent. */
public sealed interface RedundancyPolicy permits SlidingDeficit, PaperBlocks, SelectiveRepeat {
  /** Chooses what to send now; the caller sends just that. */
  Choice choose(SendingView view);

  /** Whether {@link #choose} takes note of what it chose, so that a choice must be kept to. */
  default boolean remembers() {
    return false;
  }

  /** Chooses what a probe after a time-out carries, where {@link #choose} has nothing. */
  default Choice probe(SendingView view) {
    if (view.outstanding() > 0) {
      return SlidingDeficit.repair(view);
    }
    return Choice.NOTHING;
  }

  /** A packet with this source symbol is taken to be lost. */
  default void onSymbolLost(long id) {}

  /** A source symbol has been sent once more. */
  default void onSymbolRepeated(long id) {}
}
