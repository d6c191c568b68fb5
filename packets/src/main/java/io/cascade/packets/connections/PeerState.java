package io.cascade.packets.connections;

/** Knowledge of a peer at the far side of one connection. */
public enum PeerState {
  /** The operator states that there is a peer; no signal is sent. */
  ASSUMED,
  /** Nothing is known yet. Nothing is split and nothing combined. */
  UNKNOWN,
  /** The far side was asked and has not answered. Nothing is split and nothing combined. */
  ASKED,
  /**
   * A peer has offered to split. What it splits is combined; it is unknown whether it combines, so
   * nothing is split.
   */
  OFFERED,
  /** There is a peer, which splits and combines. */
  PRESENT,
  /** There is none, or its signals did not arrive. This end works alone. */
  ABSENT;

  /** Event that changes the state. */
  public enum Event {
    /** The far side was asked. */
    ASK,
    /** A peer offered to split. */
    OFFER,
    /** A peer has accepted: it combines. */
    ACCEPT,
    /**
     * A peer refused, no peer answered, or an answer arrived without what a peer would have added.
     */
    REFUSE
  }

  /** The state after an event. A decision stays, except if a peer refuses. */
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

  /** Whether packets from the far side are put in order. */
  public boolean combines() {
    return this == ASSUMED || this == OFFERED || this == PRESENT;
  }

  /** Whether packets to the far side may be split, with or without a peer. */
  public boolean splits() {
    return this == ASSUMED || this == PRESENT || this == ABSENT;
  }
}
