package io.cascade.packets.scap;

import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.processing.DataAckProcessor;
import io.cascade.packets.processing.Def;
import io.cascade.packets.processing.DefPlus;
import io.cascade.packets.processing.Duplicating;
import io.cascade.packets.processing.HeldBudget;
import io.cascade.packets.processing.Pair;
import io.cascade.packets.processing.RoundRobin;

/** Treatment of the connections that are split. */
public enum Mode {
  /** Packets over the pipes in turn, without regard to delays. */
  ROUND_ROBIN,
  /**
   * Packets over the pipes in turn; duplicate acknowledgments that the pipes' differences cause are
   * filtered.
   */
  DEF,
  /** DEF that knows from SACK blocks what has arrived, and hides mere reordering. */
  DEF_PLUS,
  /** Every packet over every pipe. */
  DUPLICATE,
  /**
   * There is another splitter/combiner at the far side: split by earliest delivery, and combine
   * what it has split.
   */
  PAIR;

  /** Makes a processor for a connection's packets. */
  DataAckProcessor processor(PipeSet pipes, HeldBudget budget) {
    return switch (this) {
      case ROUND_ROBIN -> new RoundRobin(pipes);
      case DEF -> new Def(pipes);
      case DEF_PLUS -> new DefPlus(pipes);
      case DUPLICATE -> new Duplicating(pipes);
      case PAIR -> new Pair(pipes, budget);
    };
  }
}
