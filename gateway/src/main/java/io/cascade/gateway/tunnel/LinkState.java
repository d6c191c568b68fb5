package io.cascade.gateway.tunnel;

/** State of a link to another gateway. */
public enum LinkState {
  /** No session: packets are queued until they are too old. */
  DOWN,
  /** A session carries packets. */
  UP,
  /** There is a session, but nothing has been received from its peer for a while. */
  UNHEARD;

  /** Event that changes the state. */
  enum Event {
    /** A session has begun, whatever the state before. */
    SESSION_BEGAN,
    /** A datagram of the peer was received. */
    HEARD,
    /** Nothing was received from the peer, although it was probed. */
    SILENCE,
    /** The session has ended. */
    SESSION_ENDED
  }

  /** The state after an event; unchanged where the event has no effect in this state. */
  LinkState after(Event event) {
    return switch (event) {
      case SESSION_BEGAN -> UP;
      case HEARD -> this == UNHEARD ? UP : this;
      case SILENCE -> this == UP ? UNHEARD : this;
      case SESSION_ENDED -> DOWN;
    };
  }
}
