package io.cascade.carriage.coded;

/** Carrier of a session, at the dialling end. */
enum CarrierState {
  UDP,
  /** UDP, while a TCP connection is opened and compared with it. */
  COMPARING,
  /** UDP is silent: a TCP connection is opened, and UDP is still probed. */
  PROBING,
  TCP,
  /** TCP, while UDP is tried again. */
  TRYING_UDP,
  CLOSED;

  enum Event {
    /** UDP is silent, or delivers no data. */
    UDP_SILENT,
    /** The peer has answered datagrams that were sent over UDP. */
    UDP_ANSWERED,
    /** The peer has proved on a TCP connection that it holds the session's keys. */
    TCP_PROVED,
    /** The connection failed, or could not be opened. */
    TCP_LOST,
    /** UDP carries data, but TCP may be better. */
    COMPARISON_DUE,
    /** TCP is better. */
    TCP_BETTER,
    /** TCP is not better, or the comparison had no result in time. */
    TCP_NO_BETTER,
    RETRY_DUE,
    /** A retry of UDP was not answered. */
    RETRY_FAILED,
    CLOSE
  }

  /** Whether datagrams are sent over TCP. */
  boolean isTcp() {
    return this == TCP || this == TRYING_UDP;
  }

  /** Whether a connection is being opened or compared that does not carry the session yet. */
  boolean isDialling() {
    return this == PROBING || this == COMPARING;
  }

  /** The state after an event; the same state if the event has no effect in it. */
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
