package io.cascade.relay.stream;

/** The two connections of a stream at a relay. */
public enum Side {
  /** The accepted connection, towards the client. */
  INLET,
  /** The opened connection, towards the destination. */
  ONWARD
}
