package io.cascade.client;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.command.CommandException;
import io.cascade.command.FixHint;
import io.cascade.command.Verbs;

/** Explains every failure in one line that names the failure and its fix. */
public final class ClientFailures implements Verbs.Explanation {
  private static final String DESTINATION_NOT_ALLOWED =
      "urn:cascade:problem:destination-not-allowed";

  private static final String FORBIDDEN = "urn:cascade:problem:forbidden";

  /** The detail of this problem says where the key is given. */
  private static final String UNAUTHORIZED = "urn:cascade:problem:unauthorized";

  @Override
  public String of(Throwable failure) {
    return switch (failure) {
      case UnreachableException e when e.isAboutTrust() || e.isAboutLeading() ->
          String.valueOf(e.getMessage());
      case UnreachableException e ->
          e.getMessage()
              + "; fix: start one with ./cascade orchestrator, or name yours with --orchestrator"
              + " URL"
              + " or CASCADE_ORCHESTRATOR";
      case ProblemException e when isAboutTheToken(e) ->
          e.getMessage() + "; fix: give its token with --token or CASCADE_TOKEN";
      case ProblemException e when e.type().equals(FORBIDDEN) ->
          FixHint.added(
              String.valueOf(e.getMessage()),
              "give a key with more rights with --token or CASCADE_TOKEN");
      case ProblemException e -> String.valueOf(e.getMessage());
      case CommandException e -> String.valueOf(e.getMessage());
      case TransferFailed e -> String.valueOf(e.getMessage());
      case OutOfMemoryError e -> "out of memory (" + e.getMessage() + ")";
      default ->
          failure.getMessage() == null
              ? failure.getClass().getSimpleName()
              : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    };
  }

  /**
   * Returns true where the path failed; a port that never answers as a receiver is the wrong port.
   */
  @Override
  public boolean mayPass(Throwable failure) {
    return failure instanceof TransferFailed failed
        && switch (failed.path()) {
          case NOT_REACHED, LOST_AT_ONCE, LOST_LATER -> true;
          case STOOD, UNANSWERED -> false;
        };
  }

  /**
   * Whether a proxy in front of the orchestrator refused the token: the orchestrator's own refusals
   * have a problem type.
   */
  private static boolean isAboutTheToken(ProblemException problem) {
    return (problem.status() == 401 && !problem.type().equals(UNAUTHORIZED))
        || (problem.status() == 403
            && !problem.type().equals(DESTINATION_NOT_ALLOWED)
            && !problem.type().equals(FORBIDDEN));
  }
}
