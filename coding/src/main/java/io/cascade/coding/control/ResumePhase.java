package io.cascade.coding.control;

/**
 * Phase of a start that uses what is known of the path (RFC 9959 §3).
 *
 * <pre>
 * RECONNAISSANCE ─▶ UNVALIDATED ─▶ VALIDATING ─▶ NORMAL
 *       │                └────────────┴─▶ SAFE_RETREAT ─▶ NORMAL
 *       └─▶ NORMAL
 * </pre>
 */
enum ResumePhase {
  /** The initial window shows whether the path may still be the one that is known. */
  RECONNAISSANCE,
  /** The window has jumped, and no packet of the jump has come back. */
  UNVALIDATED,
  /** Packets of the jump come back; no more of them leave. */
  VALIDATING,
  /** The jump met congestion: its packets leave the path before the rate is set. */
  SAFE_RETREAT,
  /** Nothing retained is in use. */
  NORMAL;

  /** Event that changes the phase. */
  enum Event {
    /** A start begins with something retained. */
    BEGUN,
    /** The initial window has arrived as it should. */
    CONFIRMED,
    /** The path seems to be another one, or START is left. */
    REFUTED,
    /** A round trip has passed since the jump. */
    JUMP_ARRIVES,
    /** All packets of the jump have arrived or are lost. */
    JUMP_RESOLVED,
    /** A queue, more losses than the path's own, or silence. */
    CONGESTION
  }

  /** The phase after an event; the same where the event means nothing here. */
  ResumePhase after(Event event) {
    return switch (event) {
      case BEGUN -> RECONNAISSANCE;
      case CONFIRMED -> this == RECONNAISSANCE ? UNVALIDATED : this;
      case REFUTED -> this == RECONNAISSANCE ? NORMAL : this;
      case JUMP_ARRIVES -> this == UNVALIDATED ? VALIDATING : this;
      case JUMP_RESOLVED -> this == VALIDATING || this == SAFE_RETREAT ? NORMAL : this;
      case CONGESTION ->
          switch (this) {
            case RECONNAISSANCE, NORMAL -> NORMAL;
            case UNVALIDATED, VALIDATING, SAFE_RETREAT -> SAFE_RETREAT;
          };
    };
  }

  /** Whether packets of a jump may be under way. */
  boolean hasJumped() {
    return this == UNVALIDATED || this == VALIDATING || this == SAFE_RETREAT;
  }
}
