package io.cascade.coding.session;

/** State of the incoming stream. */
public enum ReceivingState {
  /** Bytes may arrive. */
  RECEIVING,
  /** The end and all bytes before it have arrived; not everything was read. */
  COMPLETE,
  /** Everything was read. */
  ENDED,
  /** Reset, by either end: never a clean end. */
  RESET;

  /** Event that changes the state. */
  public enum Event {
    END_ARRIVED,
    ALL_READ,
    RESET,
    /** The application reads no more. */
    ABANDONED
  }

  /** The state after an event; the same state if the event has no effect in it. */
  public ReceivingState after(Event event) {
    return switch (event) {
      case END_ARRIVED -> this == RECEIVING ? COMPLETE : this;
      case ALL_READ -> this == COMPLETE ? ENDED : this;
      // A stream that has arrived completely may still be read.
      case RESET -> this == RECEIVING ? RESET : this;
      case ABANDONED -> this == ENDED ? this : RESET;
    };
  }
}
