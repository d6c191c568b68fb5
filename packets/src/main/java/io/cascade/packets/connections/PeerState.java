package io.cascade.packets.connections;

/** Knowledge of the far side of one connection. */
public enum PeerState {
  /** The operator says that there is a peer; nobody is asked. */
  ASSUMED,
  /** Nothing yet. Nothing is split and nothing combined. */
  UNKNOWN,
  /** The far side was asked and has not answered. Nothing is split and nothing combined. */
  ASKED,
  /**
   * A peer has offered to split. What it splits is combined; whether it combines is not known, so
   * nothing is split.
   */
  OFFERED,
  /** There is a peer: it splits and combines. */
  PRESENT,
  /** There is none, or what it said did not come through. This end works alone. */
  ABSENT;

  /** Event that changes the state. */
  public enum Event {
    /** The far side was asked. */
    ASK,
    /** A peer offered to split. */
    OFFER,
    /** A peer said that it combines. */
    ACCEPT,
    /** A peer refused, nobody answered, or an answer came without what a peer would have added. */
    REFUSE
  }

  /** The state after an event. What was decided stays, but for a peer that refuses. */
  public PeerState on(Event event) {
    return switch (this) {
      case ASSUMED -> ASSUMED;
      case UNKNOWN ->
          switch (event) {
            case ASK -> ASKED;
            case OFFER -> OFFERED;
            case ACCEPT -> PRESENT;
            case REFUSE -> ABSENT;
          };
      case ASKED ->
          switch (event) {
            case ASK -> ASKED;
            case OFFER -> OFFERED;
            case ACCEPT -> PRESENT;
            case REFUSE -> ABSENT;
          };
      case OFFERED ->
          switch (event) {
            case ASK, OFFER, REFUSE -> OFFERED;
            case ACCEPT -> PRESENT;
          };
      case PRESENT ->
          switch (event) {
            case ASK, OFFER, ACCEPT -> PRESENT;
            case REFUSE -> ABSENT;
          };
      case ABSENT -> ABSENT;
    };
  }

  /** Whether what comes from the far side is put in order. */
  public boolean combines() {
    return this == ASSUMED || this == OFFERED || this == PRESENT;
  }

  /** Whether what goes to the far side may be split, in one way or the other. */
  public boolean splits() {
    return this == ASSUMED || this == PRESENT || this == ABSENT;
  }
}
