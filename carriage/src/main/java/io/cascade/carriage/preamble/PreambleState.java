package io.cascade.carriage.preamble;

/** State of a {@link PreambleHandler}. Only {@link #after} changes it. */
public enum PreambleState {
  /** No message is expected yet. */
  NEW,
  /** A message is expected, or partly read. */
  READING,
  /** A message was read that cannot be answered yet; until then nothing more is read. */
  SUSPENDED,
  /** The last message was answered; the peer may be silent until it begins another one. */
  RESTING,
  /** The connection was handed over, with the bytes after the preamble. */
  HANDED_OVER,
  /** The preamble failed, or the connection ended. */
  CLOSED;

  /** Events of a preamble. */
  public enum Event {
    /** A message is expected from the peer. */
    EXPECT,
    /** Bytes have been read. */
    BYTES,
    /** The message cannot be answered yet. */
    SUSPEND,
    /** The message can be answered now. */
    RESUME,
    /** The message was answered. */
    REST,
    /** The preamble is complete. */
    HAND_OVER,
    /** The connection is abandoned. */
    CLOSE
  }

  /** Whether the handler has nothing more to do. */
  public boolean isOver() {
    return this == HANDED_OVER || this == CLOSED;
  }

  /** Whether the peer owes a message, or waits for the answer to one. */
  public boolean isPending() {
    return this == READING || this == SUSPENDED;
  }

  /**
   * Returns the state after an event. Nothing changes a state that {@linkplain #isOver() is over}.
   *
   * @throws IllegalStateException if the event cannot happen in this state
   */
  PreambleState after(Event event) {
    if (isOver()) {
      return this;
    }
    return switch (event) {
      case EXPECT -> this == SUSPENDED ? illegal(event) : READING;
      case BYTES -> this == SUSPENDED ? SUSPENDED : READING;
      case SUSPEND -> this == READING ? SUSPENDED : illegal(event);
      case RESUME -> this == SUSPENDED ? READING : illegal(event);
      case REST -> this == READING ? RESTING : illegal(event);
      case HAND_OVER -> this == READING ? HANDED_OVER : illegal(event);
      case CLOSE -> CLOSED;
    };
  }

  private PreambleState illegal(Event event) {
    throw new IllegalStateException(event + " while " + this);
  }
}
