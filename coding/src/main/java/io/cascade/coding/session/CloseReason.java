package io.cascade.coding.session;

/** Reason for which a session has ended or is ending. */
public enum CloseReason {
  /** It has not ended. */
  NONE,
  /** Both directions are complete. */
  COMPLETED,
  /** This end has reset it. */
  RESET_BY_US,
  /** The peer has reset it. */
  RESET_BY_PEER,
  /** Nothing was received for too long. */
  SILENCE,
  /** The peer has violated the protocol. */
  MISBEHAVED
}
