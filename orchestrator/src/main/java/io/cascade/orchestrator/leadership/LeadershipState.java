package io.cascade.orchestrator.leadership;

/**
 * State of an orchestrator among those that share its database.
 *
 * <pre>
 *             TAKEN     REFUSED   EXPIRED   STOOD_DOWN   CLOSED
 *   STANDBY   LEADING   itself    itself    itself       ENDED
 *   LEADING   itself    FENCED    FENCED    STANDBY      ENDED
 *   FENCED    itself    itself    itself    STANDBY      ENDED
 *   ENDED     itself    itself    itself    itself       itself
 * </pre>
 */
enum LeadershipState {
  /** Another orchestrator leads, or none does yet. */
  STANDBY,
  LEADING,
  /**
   * Has led, and may no longer write or call relays; the application that served as the leader is
   * being closed.
   */
  FENCED,
  ENDED;

  /** Results of rounds, and calls of this orchestrator. */
  enum Sign {
    /** The seat was taken or renewed. */
    TAKEN,
    /** Another orchestrator holds the seat. */
    REFUSED,
    /** The seat could not be renewed within the tenure's length. */
    EXPIRED,
    /** The application that served as the leader was closed, or could not be started. */
    STOOD_DOWN,
    CLOSED
  }

  LeadershipState after(Sign sign) {
    return switch (this) {
      case STANDBY ->
          switch (sign) {
            case TAKEN -> LEADING;
            case CLOSED -> ENDED;
            case REFUSED, EXPIRED, STOOD_DOWN -> this;
          };
      case LEADING ->
          switch (sign) {
            case REFUSED, EXPIRED -> FENCED;
            case STOOD_DOWN -> STANDBY;
            case CLOSED -> ENDED;
            case TAKEN -> this;
          };
      case FENCED ->
          switch (sign) {
            case STOOD_DOWN -> STANDBY;
            case CLOSED -> ENDED;
            case TAKEN, REFUSED, EXPIRED -> this;
          };
      case ENDED -> this;
    };
  }
}
