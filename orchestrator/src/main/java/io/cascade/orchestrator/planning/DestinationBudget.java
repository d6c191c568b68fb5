package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.HostPort;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;

/**
 * Bounds how many connections all relays together make to a destination within an hour only to
 * measure the way there, whoever asks for plans: to the destination's host they look like an
 * attack, and its log of connections, or what limits them by address, suffers. Not thread-safe.
 */
final class DestinationBudget {
  /** Four relays' thorough looks. */
  static final int CONNECTIONS_AN_HOUR = 200;

  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_DESTINATIONS = 1_000;

  private final Timekeeper time;
  private final LinkedHashMap<HostPort, Hour> hours = BoundedMap.ofLatest(MOST_DESTINATIONS);

  DestinationBudget(Timekeeper time) {
    this.time = time;
  }

  /**
   * @param beganAt moment of its first connection
   */
  private record Hour(long beganAt, int connections) {}

  /**
   * Takes connections from what is left of the hour.
   *
   * @param reserve connections to leave
   * @return how many may be made, from 0 to {@code wanted}
   */
  int take(HostPort destination, int wanted, int reserve) {
    Hour hour = hours.get(destination);
    if (hour == null || time.passed(hour.beganAt, HOUR)) {
      hours.remove(destination);
      hour = new Hour(time.mark(), 0);
    }
    int left = Math.max(0, CONNECTIONS_AN_HOUR - hour.connections - reserve);
    int granted = Math.min(wanted, left);
    hours.put(destination, new Hour(hour.beganAt, hour.connections + granted));
    return granted;
  }

  /** Connections that were taken were not made: the destination's hour has them again. */
  void giveBack(HostPort destination, int connections) {
    hours.computeIfPresent(
        destination,
        (_, hour) -> new Hour(hour.beganAt, Math.max(0, hour.connections - connections)));
  }

  /** How many connections the destination's hour has left. */
  int left(HostPort destination) {
    Hour hour = hours.get(destination);
    return hour == null || time.passed(hour.beganAt, HOUR)
        ? CONNECTIONS_AN_HOUR
        : CONNECTIONS_AN_HOUR - hour.connections;
  }
}
