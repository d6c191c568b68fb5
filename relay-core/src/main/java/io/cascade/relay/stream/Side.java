package io.cascade.relay.stream;

/** The two connections of a stream at a relay. */
public enum Side {
  /** The accepted one, towards the client. */
  INLET,
  /** The opened one, towards the destination. */
  ONWARD
}
