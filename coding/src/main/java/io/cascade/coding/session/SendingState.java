package io.cascade.coding.session;

/** State of the outgoing stream. */
public enum SendingState {
  /** Accepts bytes. */
  OPEN,
  /** The output was ended; not everything is known to have arrived. */
  ENDING,
  /** Everything has arrived. */
  FINISHED,
  /** Reset, by either end. */
  RESET;

  /** Event that changes the state. */
  public enum Event {
    END,
    ALL_ARRIVED,
    RESET
  }

  /** The state after an event; the same state if the event has no effect in it. */
  public SendingState after(Event event) {
    return switch (event) {
      case END -> this == OPEN ? ENDING : this;
      case ALL_ARRIVED -> this == ENDING ? FINISHED : this;
      case RESET -> this == FINISHED ? this : RESET;
    };
  }
}
