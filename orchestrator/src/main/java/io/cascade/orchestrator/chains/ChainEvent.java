package io.cascade.orchestrator.chains;

/** Events that concern a chain. */
enum ChainEvent {
  /** Relays are chosen. */
  PLANNED,
  /** No relays can be chosen. */
  UNPLANNABLE,
  /** Every relay has its part. */
  INSTALLED,
  /** A relay refused its part or did not answer. */
  REFUSED,
  /** All parts are gone again; other relays are tried. */
  PLANNED_AGAIN,
  /** All parts are removed, and no other attempt follows. */
  GIVEN_UP,
  /** A relay is lost, or lost its part. */
  TROUBLED,
  /** Every relay has its part again. */
  REPAIRED,
  /** A caller or a rule closes the chain. */
  CLOSE,
  /** All parts are gone. */
  CLOSED
}
