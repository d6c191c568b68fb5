package io.cascade.relay.control;

/** Limits that the relay cannot keep. The message says why and names the fix. */
public final class LimitsRefused extends Exception {
  public LimitsRefused(String message) {
    super(message);
  }
}
