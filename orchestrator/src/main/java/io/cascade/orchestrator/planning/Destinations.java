package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;

/** Reads where a stream is to end. */
public final class Destinations {
  private Destinations() {}

  public static HostPort parse(String text) {
    try {
      HostPort destination = HostPort.parse(text);
      // What stands in a host is for the egress relay's resolver to judge, but for this.
      if (destination.host().chars().anyMatch(c -> c <= ' ' || c == '/' || c > '~')) {
        throw new IllegalArgumentException(
            "'" + text + "': not a host (expected: HOST:PORT, a name in ASCII)");
      }
      return destination;
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_DESTINATION, "destination: " + e.getMessage());
    }
  }
}
