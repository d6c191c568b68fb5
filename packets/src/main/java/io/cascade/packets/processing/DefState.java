package io.cascade.packets.processing;

/** Whether a connection under DEF uses several pipes (the source, section 5.2). */
public enum DefState {
  /** All pipes in turn; estimated duplicate acknowledgments are filtered. */
  NO_LOSS,
  /** Only the fastest pipe, and nothing is filtered, until the sender has recovered. */
  RETRANSMISSION;

  /** Event that changes the state. */
  public enum Event {
    /** The sender has retransmitted. */
    RETRANSMITTED,
    /** All three criteria of section 5.2.2 are met. */
    RECOVERED
  }

  /**
   * @throws IllegalStateException if the event cannot happen in this state
   */
  DefState on(Event event) {
    return switch (this) {
      case NO_LOSS ->
          switch (event) {
            case RETRANSMITTED -> RETRANSMISSION;
            case RECOVERED -> throw new IllegalStateException(event + " while " + this);
          };
      case RETRANSMISSION ->
          switch (event) {
            case RETRANSMITTED -> RETRANSMISSION;
            case RECOVERED -> NO_LOSS;
          };
    };
  }
}
