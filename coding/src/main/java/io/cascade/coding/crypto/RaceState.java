package io.cascade.coding.crypto;

/** State of a handshake by two ways at the end that dials. */
public enum RaceState {
  /** UDP is tried, and has its head start. */
  UDP_FIRST(true, false),
  /** UDP has not answered in its head start: both ways are tried. */
  BOTH(true, true),
  /** TCP has failed; UDP is tried still. */
  UDP_ALONE(true, false),
  /** UDP has failed; TCP is tried still. */
  TCP_ALONE(false, true),
  /** The session begins over UDP. */
  OVER_UDP(false, false),
  /** The session begins over TCP. */
  OVER_TCP(false, false),
  /** Nobody with the key has answered by either way. */
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
    /** Its time is over. */
    UDP_FAILED,
    TCP_AGREED,
    /** Its time is over, or the connection is. */
    TCP_FAILED,
    CANCEL
  }

  /** Whether HELLOs are sent over UDP. */
  public boolean triesUdp() {
    return triesUdp;
  }

  /** Whether a TCP connection is made, or has a HELLO under way. */
  public boolean triesTcp() {
    return triesTcp;
  }

  /** Whether nothing moves it any more. */
  public boolean isOver() {
    return !triesUdp && !triesTcp;
  }

  /** The state after an event; the same where the event means nothing here. */
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
