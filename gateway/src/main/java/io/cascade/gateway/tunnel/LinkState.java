package io.cascade.gateway.tunnel;

/** State of a link to another gateway. */
public enum LinkState {
  /** No session: packets wait in the queue until they are too old. */
  DOWN,
  /** A session carries packets. */
  UP,
  /** There is a session, but its peer has not been heard of for a while. */
  UNHEARD;

  /** Event that changes the state. */
  enum Event {
    /** A session has begun, whatever there was before. */
    SESSION_BEGAN,
    /** The peer was heard of. */
    HEARD,
    /** The peer was not heard of, although it was asked. */
    SILENCE,
    /** The session is over. */
    SESSION_ENDED
  }

  /** The state after an event; the same where the event means nothing here. */
  LinkState after(Event event) {
    return switch (event) {
      case SESSION_BEGAN -> UP;
      case HEARD -> this == UNHEARD ? UP : this;
      case SILENCE -> this == UP ? UNHEARD : this;
      case SESSION_ENDED -> DOWN;
    };
  }
}
