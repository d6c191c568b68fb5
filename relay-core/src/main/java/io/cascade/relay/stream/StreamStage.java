package io.cascade.relay.stream;

/** Stages of a stream. {@link #after} is all that moves it. */
enum StreamStage {
  /** The onward connection is not confirmed. */
  OPENING,
  /** {@link #OPENING}, and the client is gone; what it had sent goes on all the same. */
  ORPHANED,
  /** Both connections stand. */
  FLOWING,
  /** One side broke; what it had sent is still going to the other, which is then reset. */
  FAILING,
  ENDED;

  /** Events of a stream. */
  enum Event {
    /** The far side has taken the stream. */
    CONFIRMED,
    /** A connection broke, and something that it had sent may be still under way. */
    BROKE,
    /** Nothing is left to do but to close the connections. */
    END
  }

  /** Whether the onward connection is still to be confirmed. */
  boolean isOpening() {
    return this == OPENING || this == ORPHANED;
  }

  /**
   * Returns the stage that follows.
   *
   * @throws IllegalStateException for a second confirmation
   */
  StreamStage after(Event event) {
    return switch (event) {
      case CONFIRMED ->
          switch (this) {
            case OPENING -> FLOWING;
            case ORPHANED -> FAILING;
            case FLOWING, FAILING -> throw new IllegalStateException(event + " while " + this);
            case ENDED -> ENDED;
          };
      case BROKE ->
          switch (this) {
            case OPENING, ORPHANED -> ORPHANED;
            case FLOWING -> FAILING;
            case FAILING, ENDED -> ENDED; // the survivor broke as well
          };
      case END -> ENDED;
    };
  }
}
