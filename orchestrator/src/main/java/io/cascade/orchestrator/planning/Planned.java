package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A plan, and what opening a chain needs to know of it.
 *
 * @param relays the best cascade's; empty where none is possible
 * @param pays whether the cascade is faster even at the gain's lower bound
 * @param obstacles why relays cannot reach the destination, where they cannot
 * @param notAllowed whether all of those may not connect there
 * @param untried relays that could not try the destination at this time
 * @param compared what relays may test to decide it
 */
public record Planned(
    Plan document,
    List<String> relays,
    boolean pays,
    List<String> obstacles,
    boolean notAllowed,
    List<String> untried,
    TestedWays.Found compared) {

  /** The plan in a sentence, and what else there is to say. */
  public String words() {
    return Stream.concat(Stream.of(document.summary()), document.notes().stream())
        .collect(Collectors.joining(" "));
  }
}
