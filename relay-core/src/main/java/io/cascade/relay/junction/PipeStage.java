package io.cascade.relay.junction;

/** Stages of a place for a pipe where pipes begin. {@link #after} is all that moves it. */
enum PipeStage {
  /** No pipe was wanted yet. */
  IDLE,
  /** A connection to the next relay is looked for. */
  DIALLING,
  /** The pipe carries, but the next relay has not taken it yet. */
  OFFERED,
  /** The next relay has taken the pipe. */
  CARRYING,
  /** Another pipe takes its place; it carries until that one does. */
  REPLACED,
  /** The pipe is no more; another one is dialled after a pause. */
  PAUSED,
  /** No pipe is wanted any more. */
  OVER;

  /** Events of a place. */
  enum Event {
    DIAL,
    /** There is a connection, on which the pipe begins at once. */
    OFFER,
    /** The connection that was offered is no more; another one follows. */
    WITHDRAW,
    /** The next relay has taken the pipe. */
    CONFIRM,
    /** No connection can be had, or the pipe broke. */
    FAIL,
    /** Another pipe is to take its place. */
    REPLACE,
    STOP
  }

  /** Whether a connection to the next relay is being made. */
  boolean isOpening() {
    return this == DIALLING || this == OFFERED;
  }

  /**
   * Returns the stage that follows.
   *
   * @throws IllegalStateException where the event makes no sense
   */
  PipeStage after(Event event) {
    if (this == OVER || event == Event.STOP) {
      return OVER;
    }
    return switch (event) {
      case DIAL -> from(event, DIALLING, IDLE, PAUSED);
      case OFFER -> from(event, OFFERED, DIALLING);
      case WITHDRAW -> from(event, DIALLING, OFFERED);
      case CONFIRM -> from(event, CARRYING, DIALLING, OFFERED);
      case FAIL -> this == REPLACED ? OVER : from(event, PAUSED, DIALLING, OFFERED, CARRYING);
      case REPLACE -> this == CARRYING || this == REPLACED ? REPLACED : OVER;
      case STOP -> OVER;
    };
  }

  private PipeStage from(Event event, PipeStage next, PipeStage... allowed) {
    for (PipeStage each : allowed) {
      if (each == this) {
        return next;
      }
    }
    throw new IllegalStateException(event + " while " + this);
  }
}
