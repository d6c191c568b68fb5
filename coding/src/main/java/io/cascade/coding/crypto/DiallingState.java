package io.cascade.coding.crypto;

/** Where the handshake of the end that dials stands. */
public enum DiallingState {
  /** Its HELLO is under way, with no cookie. */
  HELLO_SENT,
  /** It was asked to show that it is at its address, and has. */
  COOKIE_SENT,
  /** The session may begin. */
  AGREED,
  /** Nobody with the key has answered in time. */
  FAILED;

  /** What moves it. */
  public enum Event {
    RETRY_ARRIVED,
    WELCOME_ARRIVED,
    TIMED_OUT
  }

  /** The state after an event; the same where the event means nothing here. */
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
