package io.cascade.coding.wire;

/** Type of a datagram, by its content. */
public enum PacketType {
  /** An uncoded source symbol. */
  SOURCE(0),
  /** A repair over a range of symbols. */
  SLIDING(1),
  /** A repair over the gaps of an acknowledgement and a range. */
  GAP(2),
  /** Frames about the session; not acknowledged. */
  CONTROL(3);

  private final int number;

  PacketType(int number) {
    this.number = number;
  }

  /** Number of the type on the wire. */
  int number() {
    return number;
  }

  /** Whether packets of this type are acknowledged and subject to the rate controller. */
  public boolean isData() {
    return this != CONTROL;
  }
}
