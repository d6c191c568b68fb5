package io.cascade.carriage.coded;

/** State of a connection over which a handshake arrives, at the accepting end. */
enum TcpHelloState {
  /** A HELLO is awaited. */
  AWAITING_HELLO,
  /** The HELLO is being judged. */
  JUDGING,
  /** A cookie was sent, and a HELLO with it is awaited. */
  AWAITING_COOKIE,
  /** The HELLO that must contain the cookie is being judged. */
  JUDGING_COOKIE,
  /** A session has the connection. */
  BEGUN,
  /** The connection is closed. */
  CLOSED;

  enum Event {
    /** A datagram has arrived. */
    DATAGRAM,
    /** A cookie is required. */
    COOKIE_WANTED,
    /** A session begins. */
    OPENED,
    /** The HELLO is not answered. */
    REFUSED,
    /** The time has expired. */
    LATE,
    /** The connection has ended. */
    LOST
  }

  /** Whether a session has the connection or it has ended, so that nothing is left to do. */
  boolean isOver() {
    return this == BEGUN || this == CLOSED;
  }

  /** The state after an event; the same state if the event has no effect in it. */
  TcpHelloState after(Event event) {
    if (event == Event.LATE || event == Event.LOST) {
      return this == BEGUN ? this : CLOSED;
    }
    return switch (this) {
      case AWAITING_HELLO -> event == Event.DATAGRAM ? JUDGING : this;
      case AWAITING_COOKIE -> event == Event.DATAGRAM ? JUDGING_COOKIE : this;
      case JUDGING ->
          switch (event) {
            case COOKIE_WANTED -> AWAITING_COOKIE;
            case OPENED -> BEGUN;
            case DATAGRAM, REFUSED, LATE, LOST -> CLOSED;
          };
      case JUDGING_COOKIE ->
          switch (event) {
            case OPENED -> BEGUN;
            case DATAGRAM, COOKIE_WANTED, REFUSED, LATE, LOST -> CLOSED;
          };
      case BEGUN, CLOSED -> this;
    };
  }
}
