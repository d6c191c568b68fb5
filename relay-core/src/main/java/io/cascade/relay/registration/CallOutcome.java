package io.cascade.relay.registration;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import java.time.Duration;

/** Outcome of one call to the orchestrator. */
sealed interface CallOutcome {

  String SUPERSEDED = "urn:cascade:problem:relay-superseded";

  /** The orchestrator answered. */
  record Instructed(Duration heartbeat) implements CallOutcome {}

  /** The orchestrator does not know this relay, or not this instance of it. */
  record Forgotten() implements CallOutcome {}

  /** The answer says that a later start of the same relay holds the name. */
  record Replaced(String reason) implements CallOutcome {}

  /** The orchestrator refuses the message, and would refuse it again. */
  record Rejected(String reason) implements CallOutcome {}

  /** No answer, or one that says that the orchestrator cannot answer now. */
  record Away(String reason) implements CallOutcome {}

  /** Classifies the failure of a call. */
  static CallOutcome of(Throwable failure) {
    String reason = String.valueOf(failure.getMessage());
    if (failure instanceof ProblemException problem) {
      return switch (problem.status()) {
        case 404 -> new Forgotten();
        case 409 -> problem.type().equals(SUPERSEDED) ? new Replaced(reason) : new Rejected(reason);
        case 400, 401, 403, 413, 415, 422 -> new Rejected(reason);
        default -> new Away(reason);
      };
    }
    return failure instanceof UnreachableException
        ? new Away(reason)
        : new Away(failure.toString());
  }
}
