package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;

/** Parser of the destinations of streams. */
public final class Destinations {
  private Destinations() {}

  public static HostPort parse(String text) {
    try {
      HostPort destination = HostPort.parse(text);
      // The host is resolved by the egress relay; only characters that no host can have are refused
      // here.
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
