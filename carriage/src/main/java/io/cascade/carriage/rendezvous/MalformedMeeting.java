package io.cascade.carriage.rendezvous;

import java.io.IOException;

/** Thrown if received bytes are no message of a rendezvous. The message names the error. */
public final class MalformedMeeting extends IOException {
  private static final long serialVersionUID = 1;

  MalformedMeeting(String message) {
    super(message);
  }
}
