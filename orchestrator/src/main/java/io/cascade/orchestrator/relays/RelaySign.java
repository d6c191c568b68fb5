package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.RelayStatus;

/**
 * A sign of life of a relay, or of its absence, which changes its status.
 *
 * <pre>
 *              HEARTBEAT  DRAINING_HEARTBEAT  GOODBYE  HEARD_BY_OTHERS  UNHEARD  REFUSED
 *   UP         itself     DRAINING            STOPPED  SILENT           LOST     LOST
 *   DRAINING   UP         itself              STOPPED  SILENT           LOST     LOST
 *   SILENT     UP         DRAINING            STOPPED  itself           LOST     LOST
 *   LOST       UP         DRAINING            STOPPED  itself           itself   itself
 *   STOPPED    UP         DRAINING            itself   itself           itself   itself
 * </pre>
 */
enum RelaySign {
  /** A heartbeat of a relay that accepts new streams. */
  HEARTBEAT,

  /** A heartbeat of a relay that accepts no new streams. */
  DRAINING_HEARTBEAT,

  /** The last heartbeat: the relay's process ends. */
  GOODBYE,

  /**
   * The relay is silent for longer than usual, and other relays get answers to their probes of it.
   */
  HEARD_BY_OTHERS,

  /** The relay is silent for longer than usual, and no relay gets answers to its probes. */
  UNHEARD,

  /**
   * Heartbeats are missing, the control connection ended or the control port refuses connections,
   * and no relay gets answers to its probes.
   */
  REFUSED;

  RelayStatus after(RelayStatus before) {
    return switch (this) {
      case HEARTBEAT -> RelayStatus.UP;
      case DRAINING_HEARTBEAT -> RelayStatus.DRAINING;
      case GOODBYE -> RelayStatus.STOPPED;
      case HEARD_BY_OTHERS ->
          before == RelayStatus.LOST || before == RelayStatus.STOPPED ? before : RelayStatus.SILENT;
      case UNHEARD, REFUSED -> before == RelayStatus.STOPPED ? before : RelayStatus.LOST;
    };
  }
}
