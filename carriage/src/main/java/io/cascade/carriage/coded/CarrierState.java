package io.cascade.carriage.coded;

/** Carrier of a session, at the end that dialled. */
enum CarrierState {
  UDP,
  /** UDP, while a TCP connection is made and compared with it. */
  COMPARING,
  /** UDP is silent: a TCP connection is made, and UDP asked on. */
  PROBING,
  TCP,
  /** The same, and UDP is tried again. */
  TRYING_UDP,
  CLOSED;

  enum Event {
    /** UDP is silent, or delivers no data. */
    UDP_SILENT,
    /** UDP answers what was sent over it. */
    UDP_ANSWERED,
    /** The peer has proved on a TCP connection that it has the session. */
    TCP_PROVED,
    /** The connection broke, or could not be made. */
    TCP_LOST,
    /** TCP may be better than UDP, which carries data. */
    COMPARISON_DUE,
    /** It is. */
    TCP_BETTER,
    /** It is not, or it is not known in time. */
    TCP_NO_BETTER,
    RETRY_DUE,
    /** A retry was not answered. */
    RETRY_FAILED,
    CLOSE
  }

  /** Whether datagrams go over TCP. */
  boolean isTcp() {
    return this == TCP || this == TRYING_UDP;
  }

  /** Whether a connection is wanted that does not carry yet. */
  boolean isDialling() {
    return this == PROBING || this == COMPARING;
  }

  /** The state after an event; the same where the event means nothing here. */
  CarrierState after(Event event) {
    if (event == Event.CLOSE) {
      return CLOSED;
    }
    return switch (this) {
      case UDP ->
          switch (event) {
            case UDP_SILENT -> PROBING;
            case COMPARISON_DUE -> COMPARING;
            default -> this;
          };
      case COMPARING ->
          switch (event) {
            case UDP_SILENT -> PROBING;
            case TCP_BETTER -> TCP;
            case TCP_NO_BETTER, TCP_LOST -> UDP;
            default -> this;
          };
      case PROBING ->
          switch (event) {
            case UDP_ANSWERED -> UDP;
            case TCP_PROVED -> TCP;
            default -> this;
          };
      case TCP ->
          switch (event) {
            case TCP_LOST -> PROBING;
            case RETRY_DUE -> TRYING_UDP;
            default -> this;
          };
      case TRYING_UDP ->
          switch (event) {
            case UDP_ANSWERED -> UDP;
            case TCP_LOST -> PROBING;
            case RETRY_FAILED -> TCP;
            default -> this;
          };
      case CLOSED -> this;
    };
  }
}
