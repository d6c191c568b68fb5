package io.cascade.relay.throughput;

/** The state of a test's sending end. Only {@link #after} changes it. */
enum SourceState {
  /** The connection is being opened. */
  CONNECTING,
  /** The header was sent; the receiver must accept it. */
  ASKING,
  /** Bytes are being sent. */
  SENDING,
  /** All bytes and the end of the stream were sent; the receiver must confirm what arrived. */
  CONFIRMING,
  /** The receiver has confirmed what arrived. */
  COMPLETED,
  /** Stopped for a stream, of this relay or of the receiver. */
  GAVE_WAY,
  /** The test ended without a result. */
  FAILED;

  /** Events of a test. */
  enum Event {
    CONNECTED,
    ACCEPTED,
    /** The bytes or the time are used up. */
    SENT,
    /** The receiver reports how much arrived. */
    CONFIRMED,
    /** The receiver gives way to a stream of its own. */
    STOPPED,
    /** A stream of this relay moves bulk. */
    STREAM,
    /** The connection failed, or the peer was silent for too long. */
    BROKE
  }

  boolean isOver() {
    return this == COMPLETED || this == GAVE_WAY || this == FAILED;
  }

  /**
   * Returns the state after an event. An unexpected event fails the test; after its end nothing
   * changes it.
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
