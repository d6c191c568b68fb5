package io.cascade.relay.coded;

/** Carrier of a session, at the end that dialled. */
enum CarrierState {
  UDP,
  /** UDP is silent: a TCP connection is made, and UDP asked on. */
  PROBING,
  TCP,
  /** The same, and UDP is tried again. */
  TRYING_UDP,
  CLOSED;

  enum Event {
    /** UDP is silent: what was sent over it is not answered. */
    UDP_SILENT,
    /** UDP answers what was sent over it. */
    UDP_ANSWERED,
    /** The peer has proved on a TCP connection that it has the session. */
    TCP_PROVED,
    /** The connection broke, or could not be made. */
    TCP_LOST,
    RETRY_DUE,
    /** A retry was not answered. */
    RETRY_FAILED,
    CLOSE
  }

  /** Whether datagrams go over TCP. */
  boolean isTcp() {
    return this == TCP || this == TRYING_UDP;
  }

  /** The state after an event; the same where the event means nothing here. */
  CarrierState after(Event event) {
    if (event == Event.CLOSE) {
      return CLOSED;
    }
    return switch (this) {
      case UDP -> event == Event.UDP_SILENT ? PROBING : this;
      case PROBING ->
          switch (event) {
            case UDP_ANSWERED -> UDP;
            case TCP_PROVED -> TCP;
            case UDP_SILENT, TCP_LOST, RETRY_DUE, RETRY_FAILED, CLOSE -> this;
          };
      case TCP ->
          switch (event) {
            case TCP_LOST -> PROBING;
            case RETRY_DUE -> TRYING_UDP;
            case UDP_SILENT, UDP_ANSWERED, TCP_PROVED, RETRY_FAILED, CLOSE -> this;
          };
      case TRYING_UDP ->
          switch (event) {
            case UDP_ANSWERED -> UDP;
            case TCP_LOST -> PROBING;
            case RETRY_FAILED -> TCP;
            case UDP_SILENT, TCP_PROVED, RETRY_DUE, CLOSE -> this;
          };
      case CLOSED -> this;
    };
  }
}
