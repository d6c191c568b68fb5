package io.cascade.orchestrator.leadership;

/**
 * What an orchestrator is among those of its database.
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
  /** Another one leads, or none does yet. */
  STANDBY,
  LEADING,
  /** Led, and may write and call relays no more; what served as the leader is being closed. */
  FENCED,
  ENDED;

  /** What is found out of the seat, or happens to this orchestrator. */
  enum Sign {
    /** The seat was taken, or kept. */
    TAKEN,
    /** The seat is another one's. */
    REFUSED,
    /** The seat could not be kept for as long as it lasts. */
    EXPIRED,
    /** What served as the leader is closed, or could not be started. */
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
