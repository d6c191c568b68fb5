package io.cascade.orchestrator.planning;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Relays that reach a destination, as their probes show. */
final class DestinationReach {
  private final Map<String, DestinationProbes.Outcome> outcomes;

  /**
   * @param outcomes by name of the relay that probed
   */
  DestinationReach(Map<String, DestinationProbes.Outcome> outcomes) {
    this.outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes));
  }

  /** Outcome of one relay's probe; null if it did not probe. */
  DestinationProbes.@Nullable Outcome of(String relay) {
    return outcomes.get(relay);
  }

  /** The relays that connected. */
  List<String> reached() {
    return names(outcome -> !isUntried(outcome) && outcome.failure() == null);
  }

  /** The relays that could not probe, which says nothing about the destination. */
  List<String> untried() {
    return names(DestinationReach::isUntried);
  }

  /** Why relays do not reach the destination, each as the relay's name, a colon and the reason. */
  List<String> obstacles() {
    return outcomes.entrySet().stream()
        .filter(entry -> isFailure(entry.getValue()) && !isUntried(entry.getValue()))
        .map(entry -> entry.getKey() + ": " + entry.getValue().failure())
        .toList();
  }

  /** Whether probes failed, each because its relay was not allowed to connect there. */
  boolean notAllowed() {
    List<DestinationProbes.Outcome> failed = failed().toList();
    return !failed.isEmpty() && failed.stream().allMatch(DestinationProbes.Outcome::notAllowed);
  }

  /** Sentences for the plan's notes. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    List<String> obstacles = obstacles();
    if (!obstacles.isEmpty()) {
      notes.add("The destination was not reached from " + String.join("; from ", obstacles) + ".");
    }
    List<String> busy = names(DestinationProbes.Outcome::busy);
    if (!busy.isEmpty()) {
      notes.add(
          "The way to the destination is unmeasured, because too many probes were under way there: "
              + String.join(", ", busy)
              + ".");
    }
    List<String> exhausted = names(DestinationProbes.Outcome::exhausted);
    if (!exhausted.isEmpty()) {
      notes.add(
          ("The way to the destination is unmeasured, because relays make no more than %d"
                  + " connections to it and %d to its host within an hour to measure, and to no"
                  + " more than %d new destinations for one caller: %s.")
              .formatted(
                  DestinationBudget.CONNECTIONS_AN_HOUR,
                  DestinationBudget.CONNECTIONS_OF_HOST,
                  DestinationBudget.NEW_OF_CALLER,
                  String.join(", ", exhausted)));
    }
    return notes;
  }

  private static boolean isUntried(DestinationProbes.Outcome outcome) {
    return outcome.busy() || outcome.exhausted();
  }

  private Stream<DestinationProbes.Outcome> failed() {
    return outcomes.values().stream().filter(DestinationReach::isFailure);
  }

  private static boolean isFailure(DestinationProbes.Outcome outcome) {
    return outcome.failure() != null;
  }

  private List<String> names(Predicate<DestinationProbes.Outcome> which) {
    return outcomes.entrySet().stream()
        .filter(entry -> which.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
