package io.cascade.relay.throughput;

/** The state of a test's receiving end. Only {@link #after} changes it. */
enum SinkState {
  /** The sender was announced and has not connected. */
  EXPECTING,
  /** Bytes are being received. */
  RECEIVING,
  /** The sender has ended its stream and received the number of bytes. */
  COMPLETED,
  /** Stopped for a stream of this relay. */
  GAVE_WAY,
  /**
   * The test failed: no sender connected in time, the connection failed, or more arrived than
   * announced.
   */
  FAILED;

  /** Events of a test. */
  enum Event {
    ARRIVED,
    /** The sender has ended its stream. */
    ENDED,
    /** A stream of this relay moves bulk. */
    STREAM,
    BROKE
  }

  boolean isOver() {
    return this == COMPLETED || this == GAVE_WAY || this == FAILED;
  }

  /**
   * Returns the state after an event. An unexpected event fails the test; after its end nothing
   * changes it.
   */
  SinkState after(Event event) {
    if (isOver()) {
      return this;
    }
    return switch (event) {
      case ARRIVED -> this == EXPECTING ? RECEIVING : FAILED;
      case ENDED -> this == RECEIVING ? COMPLETED : FAILED;
      case STREAM -> GAVE_WAY;
      case BROKE -> FAILED;
    };
  }
}
