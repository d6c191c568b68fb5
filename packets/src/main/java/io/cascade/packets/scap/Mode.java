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
  /** Packets in turn, without regard to delays. */
  ROUND_ROBIN,
  /** Packets in turn; duplicate acknowledgments that the pipes' differences cause are filtered. */
  DEF,
  /** DEF that knows from SACK blocks what has arrived, and hides what is only reordered. */
  DEF_PLUS,
  /** Every packet by every pipe. */
  DUPLICATE,
  /**
   * There is another one at the far side: split by earliest delivery, combine what it has split.
   */
  PAIR;

  /** A processor for a connection's packets. */
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
