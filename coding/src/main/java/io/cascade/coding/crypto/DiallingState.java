package io.cascade.coding.crypto;

/** State of the handshake at the dialling end. */
public enum DiallingState {
  /** The HELLO was sent without a cookie. */
  HELLO_SENT,
  /** The HELLO was sent with the cookie that proves the address. */
  COOKIE_SENT,
  /** The session may begin. */
  AGREED,
  /** The handshake failed: no holder of the key has answered in time. */
  FAILED;

  /** Event that changes the state. */
  public enum Event {
    RETRY_ARRIVED,
    WELCOME_ARRIVED,
    TIMED_OUT
  }

  /** The state after an event; the same state if the event has no effect in it. */
  public DiallingState after(Event event) {
    return switch (this) {
      case HELLO_SENT ->
          switch (event) {
            case RETRY_ARRIVED -> COOKIE_SENT;
            case WELCOME_ARRIVED -> AGREED;
            case TIMED_OUT -> FAILED;
          };
      case COOKIE_SENT ->
          switch (event) {
            case RETRY_ARRIVED -> this;
            case WELCOME_ARRIVED -> AGREED;
            case TIMED_OUT -> FAILED;
          };
      case AGREED, FAILED -> this;
    };
  }
}
