package io.cascade.segments;

/** Thrown if the peer violated the protocol. The stream is reset with the reason. */
public final class ProtocolViolation extends Exception {
  private final Reason reason;

  ProtocolViolation(Reason reason, String detail) {
    super(reason.words() + ": " + detail);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
