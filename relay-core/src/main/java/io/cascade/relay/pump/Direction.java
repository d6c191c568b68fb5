package io.cascade.relay.pump;

/** Directions of a stream. */
public enum Direction {
  /** Client to destination. */
  FORWARD,
  /** Destination to client. */
  BACKWARD
}
