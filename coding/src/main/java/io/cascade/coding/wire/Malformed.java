package io.cascade.coding.wire;

/** Thrown for a datagram that does not follow its format. */
public final class Malformed extends Exception {
  private static final long serialVersionUID = 1;

  public Malformed(String what, int offset) {
    // Malformed input may arrive at the rate of the network, so the exception has no stack trace.
    super(what + " at byte " + offset, null, false, false);
  }
}
