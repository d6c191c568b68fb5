package io.cascade.carriage.coded;

/** State of the sessions with a peer, on one event loop. */
enum CodedLinkState {
  /** No handshake was tried. */
  NONE,
  /** A handshake is in progress, and connections wait for it. */
  DIALLING,
  /** A session is established. */
  UP,
  /** Connections use plain TCP, since the handshake was answered over neither UDP nor TCP. */
  FALLEN_BACK,
  /** Connections use plain TCP, and the handshake is tried again. */
  TRYING_AGAIN,
  /** No more connections are opened. */
  CLOSED;

  enum Event {
    WANTED,
    AGREED,
    UNANSWERED,
    RETRY_DUE,
    SESSION_ENDED,
    CLOSE
  }

  /** The state after an event; the same state if the event has no effect in it. */
  CodedLinkState after(Event event) {
    if (event == Event.CLOSE) {
      return CLOSED;
    }
    return switch (this) {
      case NONE -> event == Event.WANTED ? DIALLING : this;
      case DIALLING, TRYING_AGAIN ->
          switch (event) {
            case AGREED -> UP;
            case UNANSWERED -> FALLEN_BACK;
            case WANTED, RETRY_DUE, SESSION_ENDED, CLOSE -> this;
          };
      case UP -> event == Event.SESSION_ENDED ? NONE : this;
      case FALLEN_BACK -> event == Event.RETRY_DUE ? TRYING_AGAIN : this;
      case CLOSED -> this;
    };
  }
}
