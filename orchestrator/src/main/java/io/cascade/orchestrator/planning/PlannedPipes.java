package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.Objects;

/**
 * Routes of the pipes between two relays.
 *
 * @param pipes relays of each, the two ends included; at least one
 * @param bitsPerSecond that they are expected to carry together; 0 where that is not known
 * @param document the plan of the chain, with what each pipe is expected to carry
 */
public record PlannedPipes(List<List<String>> pipes, double bitsPerSecond, Plan document) {
  public PlannedPipes {
    pipes = pipes.stream().map(List::copyOf).toList();
  }

  /**
   * Rate that the pipes are expected to carry; where one alone carries as much as all, that one's.
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
