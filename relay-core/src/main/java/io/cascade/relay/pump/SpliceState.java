package io.cascade.relay.pump;

/** States of a {@link SpliceMover}. Only {@link #after} changes them. */
enum SpliceState {
  /** Reads from the source and writes to the sink. */
  MOVING,
  /** Netty reads from the source again; the bytes in the pipe are still written. */
  EMPTYING,
  /** Netty manages both connections again, and nothing is held. */
  OVER;

  /** Events of a splice. */
  enum Event {
    /** Netty reads the source again: it has an end or an error to report, or copying is better. */
    LEAVE,
    /** The pipe is empty. */
    EMPTIED,
    /** The direction is abandoned. */
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
