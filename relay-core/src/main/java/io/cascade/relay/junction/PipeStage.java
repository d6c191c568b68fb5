package io.cascade.relay.junction;

/** Stages of a pipe at the junction that dials it. Only {@link #after} changes them. */
enum PipeStage {
  /** No pipe was needed yet. */
  IDLE,
  /** A connection to the next relay is being opened. */
  DIALLING,
  /** The pipe carries data, but the next relay has not accepted it yet. */
  OFFERED,
  /** The next relay has accepted the pipe. */
  CARRYING,
  /** Another pipe replaces it; it carries data until that one does. */
  REPLACED,
  /** The pipe has ended; another one is dialled after a pause. */
  PAUSED,
  /** No pipe is needed any longer. */
  OVER;

  /** Events of a pipe. */
  enum Event {
    DIAL,
    /** A connection is open, on which the pipe begins at once. */
    OFFER,
    /** The offered connection has ended; another one follows. */
    WITHDRAW,
    /** The next relay has accepted the pipe. */
    CONFIRM,
    /** No connection can be opened, or the pipe broke. */
    FAIL,
    /** Another pipe is to replace it. */
    REPLACE,
    STOP
  }

  /** Whether a connection to the next relay is being opened. */
  boolean isOpening() {
    return this == DIALLING || this == OFFERED;
  }

  /**
   * Returns the stage that follows.
   *
   * @throws IllegalStateException if the event cannot happen in this stage
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
