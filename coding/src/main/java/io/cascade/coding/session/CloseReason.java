package io.cascade.coding.session;

/** Why a session has ended or is ending. */
public enum CloseReason {
  /** It has not. */
  NONE,
  /** Both directions are complete. */
  COMPLETED,
  /** We gave it up. */
  RESET_BY_US,
  /** The peer gave it up. */
  RESET_BY_PEER,
  /** Nothing was heard for too long. */
  SILENCE,
  /** The peer broke the protocol. */
  MISBEHAVED
}
