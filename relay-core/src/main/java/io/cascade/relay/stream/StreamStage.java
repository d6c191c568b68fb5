package io.cascade.relay.stream;

/** Stages of a stream. Only {@link #after} changes them. */
enum StreamStage {
  /** The onward connection is not confirmed. */
  OPENING,
  /**
   * {@link #OPENING}, and the client's connection has ended; what it had sent is still delivered.
   */
  ORPHANED,
  /** Both connections are open. */
  FLOWING,
  /**
   * One side failed; what it had sent is still being delivered to the other, which is then reset.
   */
  FAILING,
  ENDED;

  /** Events of a stream. */
  enum Event {
    /** The far side has accepted the stream. */
    CONFIRMED,
    /** A connection failed, and bytes that it had sent may not be delivered yet. */
    BROKE,
    /** Only the connections remain to be closed. */
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
            case FAILING, ENDED -> ENDED; // the survivor failed as well
          };
      case END -> ENDED;
    };
  }
}
