package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.Objects;

/**
 * Routes of the pipes between two relays.
 *
 * @param pipes relays of each, including both ends; at least one
 * @param bitsPerSecond rate that they are expected to carry together; 0 if unknown
 * @param document the plan of the chain, with the expected rate of each pipe
 */
public record PlannedPipes(List<List<String>> pipes, double bitsPerSecond, Plan document) {
  public PlannedPipes {
    pipes = pipes.stream().map(List::copyOf).toList();
  }

  /**
   * Rate that the pipes are expected to carry; if one alone carries as much as all, the rate of
   * that one.
   */
  public double expectedBitsPerSecond() {
    return bitsPerSecond > 0
        ? bitsPerSecond
        : document.candidates().stream()
            .map(Candidate::bitsPerSecond)
            .filter(Objects::nonNull)
            .mapToDouble(rate -> rate)
            .max()
            .orElse(0);
  }
}
