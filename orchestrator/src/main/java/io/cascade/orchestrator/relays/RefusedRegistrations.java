package io.cascade.orchestrator.relays;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps registrations that are refused again and again from filling log and events: of one name,
 * one in ten minutes is told; of all names together, as many as are remembered.
 */
final class RefusedRegistrations {
  static final Duration PAUSE = Duration.ofMinutes(10);
  static final int MOST_NAMES = 128;

  private final Timekeeper time;
  private final Map<String, Long> told = new LinkedHashMap<>();

  RefusedRegistrations(Timekeeper time) {
    this.time = time;
  }

  synchronized boolean isWorthTelling(String name) {
    told.values().removeIf(mark -> time.passed(mark, PAUSE));
    if (told.containsKey(name) || told.size() >= MOST_NAMES) {
      return false;
    }
    told.put(name, time.mark());
    return true;
  }
}
