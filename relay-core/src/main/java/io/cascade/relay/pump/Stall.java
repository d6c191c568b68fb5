package io.cascade.relay.pump;

/** Causes for which a direction of a stream waits while no byte moves. */
public enum Stall {
  /** The source has sent nothing, or the start gate is shut. */
  DATA,
  /** The sink has not taken what was read: it is slow, or not connected yet. */
  SINK,
  /** The direction itself might hold more, but the relay's memory is spent. */
  BUDGET
}
