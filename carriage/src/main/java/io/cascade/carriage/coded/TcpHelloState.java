package io.cascade.carriage.coded;

/** State of a connection on which a handshake comes, at the end that accepts. */
enum TcpHelloState {
  /** A HELLO is awaited. */
  AWAITING_HELLO,
  /** The HELLO is being judged. */
  JUDGING,
  /** A cookie was sent, and a HELLO with it is awaited. */
  AWAITING_COOKIE,
  /** The HELLO that should have the cookie is being judged. */
  JUDGING_COOKIE,
  /** A session has the connection. */
  BEGUN,
  /** The connection is over. */
  CLOSED;

  enum Event {
    /** A datagram has come. */
    DATAGRAM,
    /** A cookie is asked for. */
    COOKIE_WANTED,
    /** A session begins. */
    OPENED,
    /** Nothing is answered. */
    REFUSED,
    /** The time is over. */
    LATE,
    /** The connection has ended. */
    LOST
  }

  /** Whether a session or the end has come, so that nothing more is to be done. */
  boolean isOver() {
    return this == BEGUN || this == CLOSED;
  }

  /** The state after an event; the same where the event means nothing here. */
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
