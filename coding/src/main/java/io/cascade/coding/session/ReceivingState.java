package io.cascade.coding.session;

/** State of the stream that comes in. */
public enum ReceivingState {
  /** Bytes may come. */
  RECEIVING,
  /** The end has arrived, and all before it; not everything was read. */
  COMPLETE,
  /** Everything was read. */
  ENDED,
  /** Given up, by either end: never a clean end. */
  RESET;

  /** Event that changes the state. */
  public enum Event {
    END_ARRIVED,
    ALL_READ,
    RESET,
    /** The application reads no more. */
    ABANDONED
  }

  /** The state after an event; the same where the event means nothing here. */
  public ReceivingState after(Event event) {
    return switch (event) {
      case END_ARRIVED -> this == RECEIVING ? COMPLETE : this;
      case ALL_READ -> this == COMPLETE ? ENDED : this;
      // What has arrived completely may still be read.
      case RESET -> this == RECEIVING ? RESET : this;
      case ABANDONED -> this == ENDED ? this : RESET;
    };
  }
}
