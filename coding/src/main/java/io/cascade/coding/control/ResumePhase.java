package io.cascade.coding.control;

/**
 * Phase of a start that uses known parameters of the path (RFC 9959 §3).
 *
 * <pre>
 * RECONNAISSANCE ─▶ UNVALIDATED ─▶ VALIDATING ─▶ NORMAL
 *       │                └────────────┴─▶ SAFE_RETREAT ─▶ NORMAL
 *       └─▶ NORMAL
 * </pre>
 */
enum ResumePhase {
  /** The initial window tests whether the path may still be the known one. */
  RECONNAISSANCE,
  /** The window has jumped, and no packet of the jump is acknowledged. */
  UNVALIDATED,
  /** Packets of the jump are acknowledged; no more of them are sent. */
  VALIDATING,
  /** The jump met congestion: its packets drain from the path before the rate is set. */
  SAFE_RETREAT,
  /** No retained parameters are in use. */
  NORMAL;

  /** Event that changes the phase. */
  enum Event {
    /** A start begins with retained parameters. */
    BEGUN,
    /** The initial window has arrived as expected. */
    CONFIRMED,
    /** The path seems to be another one, or START ends. */
    REFUTED,
    /** A round trip has passed since the jump. */
    JUMP_ARRIVES,
    /** All packets of the jump have arrived or are lost. */
    JUMP_RESOLVED,
    /** A queue, a loss rate above the path's own, or silence. */
    CONGESTION
  }

  /** The phase after an event; the same phase if the event has no effect in it. */
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

  /** Whether packets of a jump may be in flight. */
  boolean hasJumped() {
    return this == UNVALIDATED || this == VALIDATING || this == SAFE_RETREAT;
  }
}
