package io.cascade.relay.throughput;

/** The state of a test's sending end. Only {@link #after} moves it. */
enum SourceState {
  /** The connection is being made. */
  CONNECTING,
  /** The header was sent; the receiver has to accept it. */
  ASKING,
  /** Bytes are being sent. */
  SENDING,
  /** All were sent, and the end of the stream behind them; the receiver has to say what came. */
  CONFIRMING,
  /** The source said that it is done. */
  COMPLETED,
  /** Cut short for a stream, of this relay or of the receiver. */
  GAVE_WAY,
  /** The test ended without a result. */
  FAILED;

  /** Events that concern a test. */
  enum Event {
    CONNECTED,
    ACCEPTED,
    /** The bytes or the time are used up. */
    SENT,
    /** The receiver says how much came. */
    CONFIRMED,
    /** The receiver gives way to a stream of its own. */
    STOPPED,
    /** A stream of this relay moves bulk. */
    STREAM,
    /** The connection broke, or somebody was silent for too long. */
    BROKE
  }

  boolean isOver() {
    return this == COMPLETED || this == GAVE_WAY || this == FAILED;
  }

  /**
   * The state after an event. An event out of turn fails the test; after its end nothing changes
   * it.
   */
  SourceState after(Event event) {
    if (isOver()) {
      return this;
    }
    return switch (event) {
      case CONNECTED -> this == CONNECTING ? ASKING : FAILED;
      case ACCEPTED -> this == ASKING ? SENDING : FAILED;
      case SENT -> this == SENDING ? CONFIRMING : FAILED;
      case CONFIRMED -> this == CONFIRMING ? COMPLETED : FAILED;
      case STOPPED -> this == CONNECTING ? FAILED : GAVE_WAY;
      case STREAM -> GAVE_WAY;
      case BROKE -> FAILED;
    };
  }
}
