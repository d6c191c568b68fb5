package io.cascade.relay.registration;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import java.time.Duration;

/** What became of one call to the orchestrator. */
sealed interface Outcome {

  String SUPERSEDED = "urn:cascade:problem:relay-superseded";

  /** It answered. */
  record Instructed(Duration heartbeat) implements Outcome {}

  /** It does not know this relay, or not this instance of it. */
  record Forgotten() implements Outcome {}

  /** A later start of the same relay has the name. */
  record Replaced(String reason) implements Outcome {}

  /** It will not have what was sent, however often. */
  record Rejected(String reason) implements Outcome {}

  /** No answer, or one that says that it cannot now. */
  record Away(String reason) implements Outcome {}

  static Outcome of(RuntimeException failure) {
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
