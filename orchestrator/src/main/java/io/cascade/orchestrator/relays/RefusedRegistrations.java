package io.cascade.orchestrator.relays;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits what repeated refused registrations add to log and events: for one name one entry in ten
 * minutes, and a bounded number of names.
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
