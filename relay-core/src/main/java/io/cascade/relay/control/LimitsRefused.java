package io.cascade.relay.control;

/** Thrown for limits that the relay cannot enforce. The message names the reason and the fix. */
public final class LimitsRefused extends Exception {
  public LimitsRefused(String message) {
    super(message);
  }
}
