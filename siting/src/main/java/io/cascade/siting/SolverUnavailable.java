package io.cascade.siting;

/** There is no solver for this platform; the message names the jar that contains it. */
public final class SolverUnavailable extends RuntimeException {

  private SolverUnavailable(String message) {
    super(message);
  }

  private SolverUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  static SolverUnavailable missing(String artifact) {
    return new SolverUnavailable(
        "no solver for this platform: add the jar com.google.ortools:"
            + artifact
            + " to the class path, or choose greedily");
  }

  static SolverUnavailable leftOut(Throwable cause) {
    return new SolverUnavailable("there is no solver in this package: choose greedily", cause);
  }

  static SolverUnavailable refused(String artifact, Throwable cause) {
    return new SolverUnavailable(
        "the solver of " + artifact + " does not load here: " + cause.getMessage(), cause);
  }
}
