package io.cascade.relay.pump;

/** Which way bytes go. */
public enum Direction {
  /** From client to destination. */
  FORWARD,
  /** From destination to client. */
  BACKWARD
}
