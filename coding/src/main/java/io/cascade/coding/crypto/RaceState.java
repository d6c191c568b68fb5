package io.cascade.coding.crypto;

/** State of a handshake over two carriers at the dialling end. */
public enum RaceState {
  /** UDP is tried alone, during its head start. */
  UDP_FIRST(true, false),
  /** UDP has not answered within its head start: both carriers are tried. */
  BOTH(true, true),
  /** TCP has failed; UDP is still tried. */
  UDP_ALONE(true, false),
  /** UDP has failed; TCP is still tried. */
  TCP_ALONE(false, true),
  /** The session begins over UDP. */
  OVER_UDP(false, false),
  /** The session begins over TCP. */
  OVER_TCP(false, false),
  /** No holder of the key has answered over either carrier. */
  NOBODY(false, false);

  private final boolean triesUdp;
  private final boolean triesTcp;

  RaceState(boolean triesUdp, boolean triesTcp) {
    this.triesUdp = triesUdp;
    this.triesTcp = triesTcp;
  }

  /** Event that changes the state. */
  public enum Event {
    HEAD_START_OVER,
    UDP_AGREED,
    /** The time for UDP has expired. */
    UDP_FAILED,
    TCP_AGREED,
    /** The time for TCP has expired, or its connection has ended. */
    TCP_FAILED,
    CANCEL
  }

  /** Whether HELLOs are sent over UDP. */
  public boolean triesUdp() {
    return triesUdp;
  }

  /** Whether a TCP connection is being opened, or a HELLO was sent on it. */
  public boolean triesTcp() {
    return triesTcp;
  }

  /** Whether no event changes it any longer. */
  public boolean isOver() {
    return !triesUdp && !triesTcp;
  }

  /** The state after an event; the same state if the event has no effect in it. */
  public RaceState after(Event event) {
    if (event == Event.CANCEL) {
      return isOver() ? this : NOBODY;
    }
    return switch (this) {
      case UDP_FIRST ->
          switch (event) {
            case HEAD_START_OVER -> BOTH;
            case UDP_AGREED -> OVER_UDP;
            case UDP_FAILED -> TCP_ALONE;
            case TCP_AGREED, TCP_FAILED, CANCEL -> this;
          };
      case BOTH ->
          switch (event) {
            case UDP_AGREED -> OVER_UDP;
            case UDP_FAILED -> TCP_ALONE;
            case TCP_AGREED -> OVER_TCP;
            case TCP_FAILED -> UDP_ALONE;
            case HEAD_START_OVER, CANCEL -> this;
          };
      case UDP_ALONE ->
          switch (event) {
            case UDP_AGREED -> OVER_UDP;
            case UDP_FAILED -> NOBODY;
            case HEAD_START_OVER, TCP_AGREED, TCP_FAILED, CANCEL -> this;
          };
      case TCP_ALONE ->
          switch (event) {
            case TCP_AGREED -> OVER_TCP;
            case TCP_FAILED -> NOBODY;
            case HEAD_START_OVER, UDP_AGREED, UDP_FAILED, CANCEL -> this;
          };
      case OVER_UDP, OVER_TCP, NOBODY -> this;
    };
  }
}
