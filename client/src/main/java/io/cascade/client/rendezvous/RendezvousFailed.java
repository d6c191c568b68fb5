package io.cascade.client.rendezvous;

import io.cascade.carriage.rendezvous.MeetingRefusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An end was not joined. The message is one line that says why and what to do. */
public final class RendezvousFailed extends IOException {
  private static final long serialVersionUID = 1;

  private final @Nullable MeetingRefusal refusal;

  RendezvousFailed(String message, @Nullable MeetingRefusal refusal, @Nullable Throwable cause) {
    super(message, cause);
    this.refusal = refusal;
  }

  /** Why the relay refused; null where the relay did not refuse. */
  public @Nullable MeetingRefusal refusal() {
    return refusal;
  }
}
