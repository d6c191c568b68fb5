package io.cascade.relay.pump;

/** States of a {@link SpliceMover}. {@link #after} alone moves them. */
enum SpliceState {
  /** Reads from the source and writes to the sink. */
  MOVING,
  /** Netty reads from the source again; what is in the pipe still goes out. */
  EMPTYING,
  /** Both connections are Netty's again, and nothing is held. */
  OVER;

  /** Events of a splice. */
  enum Event {
    /** The source goes back to Netty: it has an end or an error to tell, or copying is better. */
    LEAVE,
    /** The pipe is empty. */
    EMPTIED,
    /** The direction is given up. */
    STOP
  }

  /** Returns the state that follows. */
  SpliceState after(Event event) {
    return switch (event) {
      case LEAVE -> this == MOVING ? EMPTYING : this;
      case EMPTIED -> this == EMPTYING ? OVER : this;
      case STOP -> OVER;
    };
  }
}
