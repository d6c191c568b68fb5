package io.cascade.coding.session;

/** State of a session. */
public enum SessionState {
  /** Carries bytes. */
  ESTABLISHED,
  /** Repeats its reset until the peer has acknowledged it. */
  RESETTING,
  /** Complete: only answers a peer that may not know that yet. */
  LINGERING,
  /** Sends and accepts nothing. */
  CLOSED;

  /** Event that changes the state. */
  enum Event {
    /** Both directions are complete. */
    BOTH_COMPLETE,
    /** This end resets the session. */
    RESET_WANTED,
    /** The peer has reset the session. */
    RESET_ARRIVED,
    /** The peer has acknowledged the reset. */
    RESET_SEEN,
    /** Nothing was received for too long. */
    SILENCE,
    /** The session has answered for long enough. */
    LINGERED
  }

  /** The state after an event; the same state if the event has no effect in it. */
  SessionState after(Event event) {
    return switch (this) {
      case ESTABLISHED ->
          switch (event) {
            case BOTH_COMPLETE, RESET_ARRIVED -> LINGERING;
            case RESET_WANTED -> RESETTING;
            case SILENCE -> CLOSED;
            case RESET_SEEN, LINGERED -> this;
          };
      case RESETTING ->
          switch (event) {
            case RESET_ARRIVED -> LINGERING;
            case RESET_SEEN, SILENCE -> CLOSED;
            case BOTH_COMPLETE, RESET_WANTED, LINGERED -> this;
          };
      case LINGERING ->
          switch (event) {
            case LINGERED, SILENCE -> CLOSED;
            case BOTH_COMPLETE, RESET_WANTED, RESET_ARRIVED, RESET_SEEN -> this;
          };
      case CLOSED -> this;
    };
  }
}
