package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A plan, and what is needed to open a chain from it.
 *
 * @param relays relays of the best cascade; empty if none is possible
 * @param pays whether the cascade is faster even at the gain's lower bound
 * @param obstacles why relays cannot reach the destination
 * @param notAllowed whether all of those are not allowed to connect there
 * @param untried relays that could not probe the destination at this time
 * @param compared the ways that relays may test to decide the plan
 */
public record Planned(
    Plan document,
    List<String> relays,
    boolean pays,
    List<String> obstacles,
    boolean notAllowed,
    List<String> untried,
    TestedWays.Found compared) {

  /** The plan's summary, followed by its notes. */
  public String words() {
    return Stream.concat(Stream.of(document.summary()), document.notes().stream())
        .collect(Collectors.joining(" "));
  }
}
