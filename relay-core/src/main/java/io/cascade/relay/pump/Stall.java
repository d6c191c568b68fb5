package io.cascade.relay.pump;

/** Causes for which a direction of a stream waits while no byte moves. */
public enum Stall {
  /** The source has sent nothing, or the start gate is closed. */
  DATA,
  /** The sink has not accepted what was read: it is slow, or not connected yet. */
  SINK,
  /** The direction's own limit has room, but the relay's memory is used up. */
  BUDGET
}
