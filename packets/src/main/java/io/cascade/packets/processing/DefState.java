package io.cascade.packets.processing;

/** Whether a connection under DEF uses several pipes (the source, section 5.2). */
public enum DefState {
  /** All pipes in turn; duplicate acknowledgments that were estimated are filtered. */
  NO_LOSS,
  /** The quickest pipe alone, and nothing is filtered, until the sender has recovered. */
  RETRANSMISSION;

  /** Event that changes the state. */
  public enum Event {
    /** The sender sent what it had sent before. */
    RETRANSMITTED,
    /** All three criteria of section 5.2.2 are met. */
    RECOVERED
  }

  /**
   * @throws IllegalStateException where the event cannot happen in this state
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
