package io.cascade.carriage.tls;

/**
 * State of a connection's TLS with respect to its input; the output ends independently. Only {@link
 * #after} changes it.
 */
enum TlsState {
  /** The connection is not open yet. */
  NEW,
  HANDSHAKING,
  /** The handshake has completed and the peer is the expected one. */
  OPEN,
  /** The peer has sent close_notify: no more arrives. */
  INPUT_ENDED,
  /** The handshake failed, a record was lost, or the connection has ended. */
  FAILED;

  /** Events of the input. */
  enum Event {
    /** The connection is open. */
    BEGIN,
    /** The handshake has completed. */
    ESTABLISH,
    /** The peer's close_notify has arrived. */
    CLOSE_NOTIFY,
    /** An error occurred, or the handler left the pipeline. */
    FAIL
  }

  /** Whether the handshake has not completed. */
  boolean isBeforeOpen() {
    return this == NEW || this == HANDSHAKING;
  }

  /** Whether records are received. */
  boolean isReceiving() {
    return this == HANDSHAKING || this == OPEN;
  }

  /**
   * Returns the state after an event.
   *
   * @throws IllegalStateException if the event cannot happen in this state
   */
  TlsState after(Event event) {
    if (this == FAILED) {
      return FAILED;
    }
    return switch (event) {
      case BEGIN -> from(NEW, event, HANDSHAKING);
      case ESTABLISH -> from(HANDSHAKING, event, OPEN);
      case CLOSE_NOTIFY -> from(OPEN, event, INPUT_ENDED);
      case FAIL -> FAILED;
    };
  }

  private TlsState from(TlsState expected, Event event, TlsState to) {
    if (this != expected) {
      throw new IllegalStateException(event + " while " + this);
    }
    return to;
  }
}
