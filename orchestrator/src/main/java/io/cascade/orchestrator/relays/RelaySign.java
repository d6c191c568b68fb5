package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.RelayStatus;

/**
 * A sign of life of a relay, or of its absence, which moves its status.
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
  /** It spoke, and takes new streams. */
  HEARTBEAT,

  /** It spoke, and takes no new streams. */
  DRAINING_HEARTBEAT,

  /** It spoke for the last time: its process ends. */
  GOODBYE,

  /** It is silent for longer than is usual for it, and relays get answers to their probes of it. */
  HEARD_BY_OTHERS,

  /** It is silent for longer than is usual for it, and no relay gets answers to its probes. */
  UNHEARD,

  /**
   * Heartbeats are missing, its control connection ended or its control port refuses connections,
   * and no relay hears it.
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
