package io.cascade.segments;

import java.util.Collection;

/** Decides which pipe carries the next piece. */
public enum Scheduler {
  /**
   * Earliest completion first (Lim, Nahum, Towsley and Gibbens, CoNEXT 2017), with the blocking
   * estimation of BLEST (Ferlin, Alay, Mehani and Boreli, IFIP Networking 2016). A pipe gets no
   * piece if another one would have delivered everything that waits before this pipe has delivered
   * that piece, nor if the others would use up the window meanwhile and then stall.
   */
  EARLIEST {
    @Override
    boolean takes(PipeFlight pipe, int piece, Backlog backlog, Collection<PipeFlight> pipes) {
      double own = pipe.completionNanos(piece);
      double othersMeanwhile = 0;
      boolean best = true;
      for (PipeFlight other : pipes) {
        if (other == pipe || other.state() != PipeState.ACTIVE) {
          continue;
        }
        if (other.completionNanos(backlog.waiting()) < own) {
          return false;
        }
        best &= other.completionNanos(piece) >= own;
        othersMeanwhile += other.rate() * own;
      }
      return best || othersMeanwhile + piece <= backlog.windowLeft();
    }
  },
  /** Each pipe with room in turn, whatever its rate. */
  ROUND_ROBIN {
    @Override
    boolean takes(PipeFlight pipe, int piece, Backlog backlog, Collection<PipeFlight> pipes) {
      return least(pipe, pipes);
    }
  },
  /** Every pipe carries everything: the first copy counts. For latency, not for rate. */
  DUPLICATE {
    @Override
    boolean takes(PipeFlight pipe, int piece, Backlog backlog, Collection<PipeFlight> pipes) {
      return true;
    }
  };

  /**
   * Data to be sent.
   *
   * @param waiting octets that were not sent over any pipe yet
   * @param windowLeft octets that may be sent before an acknowledgement
   */
  record Backlog(long waiting, long windowLeft) {}

  /** Whether the pipe, which has room, carries the next piece now. */
  abstract boolean takes(PipeFlight pipe, int piece, Backlog backlog, Collection<PipeFlight> pipes);

  /** Whether the pipe has carried least among those that could take a piece now. */
  private static boolean least(PipeFlight pipe, Collection<PipeFlight> pipes) {
    long own = pipe.share();
    for (PipeFlight other : pipes) {
      if (other != pipe && other.mayCarry() && !other.writing() && other.share() < own) {
        return false;
      }
    }
    return true;
  }
}
