package io.cascade.relay.hop;

/** State of a {@link HopAcceptor}: what is known of its connection. */
enum AcceptorState {
  /** No byte has arrived. */
  SILENT,
  /** Waiting for the first header, in plain text or under TLS. */
  OPENED,
  /** The first header names a chain that is not installed here yet. */
  PARKED,
  /** The connection has greeted and is kept for a stream of its chain. */
  WARM,
  /** The header of the stream that it was kept for names a chain that is not installed here. */
  WARM_PARKED,
  /** The connection was handed over or refused. */
  DONE;

  /** Events that concern a connection to the hop port. */
  enum Event {
    /** Bytes have arrived. */
    BYTES,
    /** The chain of a header is not installed. */
    PARK,
    /** The chain of the parked header was installed. */
    INSTALLED,
    /** A greeting was accepted. */
    GREET,
    /** The connection is handed over or refused. */
    LEAVE
  }

  /** Whether a header waits for its chain. */
  boolean isParked() {
    return this == PARKED || this == WARM_PARKED;
  }

  /** Whether the connection is kept for a stream, so that its end does not count as a refusal. */
  boolean isWarm() {
    return this == WARM || this == WARM_PARKED;
  }

  /**
   * Returns the state after an event. Nothing changes {@link #DONE}.
   *
   * @throws IllegalStateException if the event cannot happen in this state
   */
  AcceptorState after(Event event) {
    if (this == DONE) {
      return DONE;
    }
    return switch (event) {
      case BYTES -> this == SILENT ? OPENED : this;
      case PARK ->
          switch (this) {
            case OPENED -> PARKED;
            case WARM -> WARM_PARKED;
            default -> illegal(event);
          };
      case INSTALLED ->
          switch (this) {
            case PARKED -> OPENED;
            case WARM_PARKED -> WARM;
            default -> illegal(event);
          };
      case GREET -> this == OPENED ? WARM : illegal(event);
      case LEAVE -> DONE;
    };
  }

  private AcceptorState illegal(Event event) {
    throw new IllegalStateException(event + " while " + this);
  }
}
