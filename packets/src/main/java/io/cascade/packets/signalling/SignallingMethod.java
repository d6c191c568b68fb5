package io.cascade.packets.signalling;

/** The means by which a peer is asked (the source, section 3.8). */
public enum SignallingMethod {
  /** None: the operator states that there is a peer. */
  NONE,
  /** A TCP option in the packets that open the connection. */
  IN_BAND,
  /** Messages in datagrams between the two ends, beside the connection. */
  OUT_OF_BAND,
  /** The option; messages if it did not arrive. */
  HYBRID;

  /** Whether options are added. */
  public boolean usesOption() {
    return this == IN_BAND || this == HYBRID;
  }

  /** Whether messages are sent. */
  public boolean usesMessages() {
    return this == OUT_OF_BAND || this == HYBRID;
  }
}
