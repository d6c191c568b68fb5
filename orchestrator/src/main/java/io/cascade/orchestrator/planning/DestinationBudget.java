package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.orchestrator.time.Timekeeper;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many connections all relays together open to a destination, and to all ports of its
 * host, per hour only to measure the path, for all callers: to the destination's host they look
 * like an attack, and may fill its connection log or exhaust limits by address. Each caller may
 * name a limited number of new destinations per hour, and all callers together as many as are
 * remembered: none is forgotten before its hour is over. Not thread-safe.
 */
final class DestinationBudget {
  /** Enough for thorough measurements by four relays. */
  static final int CONNECTIONS_AN_HOUR = 200;

  /** For all ports of a host: enough for ten services of one address. */
  static final int CONNECTIONS_OF_HOST = 2_000;

  /** The share of it that one caller with its own key may use. */
  static final int CONNECTIONS_OF_HOST_BY_CALLER = CONNECTIONS_OF_HOST / 2;

  /** New destinations per hour of a caller with its own key. */
  static final int NEW_OF_CALLER = 1_000;

  static final int MOST_DESTINATIONS = 10_000;

  private static final Duration HOUR = Duration.ofHours(1);

  private final Timekeeper time;
  private final SequencedMap<HostPort, Hour> destinations = new LinkedHashMap<>();
  private final SequencedMap<String, Hour> hosts = new LinkedHashMap<>();

  /** Connections to each host by caller, including those that were given back. */
  private final SequencedMap<Asked, Hour> asked = new LinkedHashMap<>();

  /** New destinations, by caller. */
  private final SequencedMap<String, Hour> callers = new LinkedHashMap<>();

  DestinationBudget(Timekeeper time) {
    this.time = time;
  }

  /**
   * A count within an hour.
   *
   * @param beganAt moment of the first one; the maps are ordered by it
   */
  private record Hour(long beganAt, int count) {}

  private record Asked(String owner, String host) {}

  /**
   * Takes connections from what the hour has left.
   *
   * @param owner owner of the plan's caller; null if the caller's credential is shared
   * @param reserve connections to leave
   * @return number of connections that may be opened, from 0 to {@code wanted}
   */
  int take(@Nullable String owner, HostPort destination, int wanted, int reserve) {
    HostPort known = canonical(destination);
    int most = Math.min(wanted, ofHostLeft(owner, known.host()));
    int granted = ofDestination(owner, known, most, reserve);
    if (granted > 0) {
      add(hosts, known.host(), granted);
      if (owner != null) {
        add(asked, new Asked(owner, known.host()), granted);
      }
    }
    return granted;
  }

  /**
   * Counts connections to the destination that a caller claims to have opened. They count for the
   * destination alone, so that a claim does not use up the budget of other ports of its host.
   *
   * @param owner as at {@link #take}
   */
  void made(@Nullable String owner, HostPort destination, int connections, int reserve) {
    int _ = ofDestination(owner, canonical(destination), connections, reserve);
  }

  private int ofDestination(@Nullable String owner, HostPort known, int wanted, int reserve) {
    int granted = Math.min(wanted, leftOf(known) - reserve);
    if (granted <= 0 || (!destinations.containsKey(known) && !admits(owner))) {
      return 0;
    }
    add(destinations, known, granted);
    return granted;
  }

  private int ofHostLeft(@Nullable String owner, String host) {
    forgetEnded(asked);
    if (owner == null) {
      return Integer.MAX_VALUE;
    }
    Asked here = new Asked(owner, host);
    return asked.size() >= MOST_DESTINATIONS && !asked.containsKey(here)
        ? 0
        : CONNECTIONS_OF_HOST_BY_CALLER - count(asked, here);
  }

  private boolean admits(@Nullable String owner) {
    if (destinations.size() >= MOST_DESTINATIONS) {
      return false;
    }
    if (owner != null) {
      if (count(callers, owner) >= NEW_OF_CALLER) {
        return false;
      }
      add(callers, owner, 1);
    }
    return true;
  }

  /** Returns connections that were taken but not opened to the destination's hour. */
  void giveBack(HostPort destination, int connections) {
    HostPort known = canonical(destination);
    if (destinations.containsKey(known)) {
      add(destinations, known, -connections);
      add(hosts, known.host(), -connections);
    }
  }

  /** Number of connections that the destination's hour has left. */
  int left(HostPort destination) {
    return leftOf(canonical(destination));
  }

  private int leftOf(HostPort known) {
    List.of(destinations, hosts, callers).forEach(this::forgetEnded);
    return Math.min(
        CONNECTIONS_AN_HOUR - count(destinations, known),
        CONNECTIONS_OF_HOST - count(hosts, known.host()));
  }

  private void forgetEnded(SequencedMap<?, Hour> hours) {
    Iterator<Hour> earliest = hours.values().iterator();
    while (earliest.hasNext() && time.passed(earliest.next().beganAt(), HOUR)) {
      earliest.remove();
    }
  }

  private static <K> int count(Map<K, Hour> hours, K of) {
    Hour hour = hours.get(of);
    return hour == null ? 0 : hour.count();
  }

  private <K> void add(Map<K, Hour> hours, K to, int more) {
    Hour before = hours.getOrDefault(to, new Hour(time.mark(), 0));
    hours.put(to, new Hour(before.beganAt(), Math.max(0, before.count() + more)));
  }

  /** Canonical form of the host. */
  private static HostPort canonical(HostPort destination) {
    String host = destination.host().toLowerCase(Locale.ROOT);
    try {
      host = InetAddress.ofLiteral(host).getHostAddress();
    } catch (IllegalArgumentException e) {
      if (host.endsWith(".") && host.length() > 1) { // a name, with the dot of the root
        host = host.substring(0, host.length() - 1);
      }
    }
    return new HostPort(host, destination.port());
  }
}
