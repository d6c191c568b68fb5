package io.cascade.relay.throughput;

/** The state of a test's receiving end. Only {@link #after} moves it. */
enum SinkState {
  /** The sender was announced and has not connected. */
  EXPECTING,
  /** Bytes are being received. */
  RECEIVING,
  /** The sender has ended its stream and was told how much came. */
  COMPLETED,
  /** Cut short for a stream of this relay. */
  GAVE_WAY,
  /** The test failed: nobody came in time, the connection broke, or more came than announced. */
  FAILED;

  /** Events that concern a test. */
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
   * The state after an event. An event out of turn fails the test; after its end nothing changes
   * it.
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
