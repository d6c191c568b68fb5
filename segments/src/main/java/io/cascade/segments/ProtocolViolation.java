package io.cascade.segments;

/** The peer broke the protocol. The stream is reset with the reason. */
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
