package io.cascade.client;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.command.Complaint;

/** Every failure as the one line that names it and its mend. */
public final class ClientFailures {
  private ClientFailures() {}

  public static String explain(Throwable failure) {
    return switch (failure) {
      case UnreachableException e ->
          e.getMessage()
              + ". Start one with ./cascade orchestrator, or name yours with --orchestrator URL or"
              + " CASCADE_ORCHESTRATOR";
      case ProblemException e when e.status() == 401 || e.status() == 403 ->
          e.getMessage() + ". Give its token with --token or CASCADE_TOKEN";
      case ProblemException e -> String.valueOf(e.getMessage());
      case Complaint e -> String.valueOf(e.getMessage());
      case TransferFailed e -> String.valueOf(e.getMessage());
      case OutOfMemoryError e -> "out of memory (" + e.getMessage() + ")";
      default ->
          failure.getMessage() == null
              ? failure.getClass().getSimpleName()
              : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    };
  }
}
