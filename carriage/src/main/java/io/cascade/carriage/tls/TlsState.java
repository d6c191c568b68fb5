package io.cascade.carriage.tls;

/**
 * State of a connection's TLS, as far as its input is concerned; the output ends by itself. {@link
 * #after} alone moves it.
 */
enum TlsState {
  /** The connection is not established yet. */
  NEW,
  HANDSHAKING,
  /** The handshake is over and the peer is the expected one. */
  OPEN,
  /** The peer has sent close_notify: no more comes. */
  INPUT_ENDED,
  /** The handshake failed, a record was lost, or the connection is gone. */
  FAILED;

  /** Events that concern the input. */
  enum Event {
    /** The connection is established. */
    BEGIN,
    /** The handshake is over. */
    ESTABLISH,
    /** The peer's close_notify has come. */
    CLOSE_NOTIFY,
    /** Something went wrong, or the handler left the pipeline. */
    FAIL
  }

  /** Whether the handshake is not over. */
  boolean isBeforeOpen() {
    return this == NEW || this == HANDSHAKING;
  }

  /** Whether records are received. */
  boolean isReceiving() {
    return this == HANDSHAKING || this == OPEN;
  }

  /**
   * The state after an event.
   *
   * @throws IllegalStateException when the event cannot happen in this state
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
