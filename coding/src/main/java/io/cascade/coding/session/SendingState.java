package io.cascade.coding.session;

/** State of the stream that goes out. */
public enum SendingState {
  /** Takes bytes. */
  OPEN,
  /** The end was said; not everything is known to have arrived. */
  ENDING,
  /** Everything has arrived. */
  FINISHED,
  /** Given up, by either end. */
  RESET;

  /** Event that changes the state. */
  public enum Event {
    END,
    ALL_ARRIVED,
    RESET
  }

  /** The state after an event; the same where the event means nothing here. */
  public SendingState after(Event event) {
    return switch (event) {
      case END -> this == OPEN ? ENDING : this;
      case ALL_ARRIVED -> this == ENDING ? FINISHED : this;
      case RESET -> this == FINISHED ? this : RESET;
    };
  }
}
