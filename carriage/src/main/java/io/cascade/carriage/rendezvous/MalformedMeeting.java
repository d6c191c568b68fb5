package io.cascade.carriage.rendezvous;

import java.io.IOException;

/** What was read is no message of a rendezvous. The message says what is wrong with it. */
public final class MalformedMeeting extends IOException {
  private static final long serialVersionUID = 1;

  MalformedMeeting(String message) {
    super(message);
  }
}
