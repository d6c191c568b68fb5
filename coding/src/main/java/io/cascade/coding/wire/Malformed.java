package io.cascade.coding.wire;

/** A datagram that does not follow its format. */
public final class Malformed extends Exception {
  private static final long serialVersionUID = 1;

  public Malformed(String what, int offset) {
    // Made for bad input at the rate of the network: without the cost of a stack trace.
    super(what + " at byte " + offset, null, false, false);
  }
}
