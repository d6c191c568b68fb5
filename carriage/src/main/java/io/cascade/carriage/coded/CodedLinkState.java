package io.cascade.carriage.coded;

/** State of the way to a peer, on one event loop. */
enum CodedLinkState {
  /** Nothing was tried. */
  NONE,
  /** A handshake is under way, and connections wait for it. */
  DIALLING,
  /** A session stands. */
  UP,
  /** Connections are TCP's, since the handshake was answered by neither way. */
  FALLEN_BACK,
  /** The same, and the handshake is tried again beside it. */
  TRYING_AGAIN,
  /** Nothing more is opened. */
  CLOSED;

  enum Event {
    WANTED,
    AGREED,
    UNANSWERED,
    RETRY_DUE,
    SESSION_ENDED,
    CLOSE
  }

  /** The state after an event; the same where the event means nothing here. */
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
