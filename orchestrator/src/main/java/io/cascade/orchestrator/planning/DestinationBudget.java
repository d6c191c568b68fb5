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
 * Bounds how many connections all relays together make to a destination, and to all ports of its
 * host, within an hour only to measure the way there, whoever asks for plans: to the destination's
 * host they look like an attack, and its log of connections, or what limits them by address,
 * suffers. A caller names so many new destinations within an hour, and all together so many as are
 * remembered: none is forgotten before its hour is over. Not thread-safe.
 */
final class DestinationBudget {
  /** Four relays' thorough looks. */
  static final int CONNECTIONS_AN_HOUR = 200;

  /** Of all ports of a host: ten services of one address are measured, and no more. */
  static final int CONNECTIONS_OF_HOST = 2_000;

  /** Of these, what a caller with a key of its own may have made. */
  static final int CONNECTIONS_OF_HOST_BY_CALLER = CONNECTIONS_OF_HOST / 2;

  /** New destinations of a caller with a key of its own within an hour. */
  static final int NEW_OF_CALLER = 1_000;

  static final int MOST_DESTINATIONS = 10_000;

  private static final Duration HOUR = Duration.ofHours(1);

  private final Timekeeper time;
  private final SequencedMap<HostPort, Hour> destinations = new LinkedHashMap<>();
  private final SequencedMap<String, Hour> hosts = new LinkedHashMap<>();

  /** What each caller had made of the connections of a host, given back or not. */
  private final SequencedMap<Asked, Hour> asked = new LinkedHashMap<>();

  /** New destinations by caller. */
  private final SequencedMap<String, Hour> callers = new LinkedHashMap<>();

  DestinationBudget(Timekeeper time) {
    this.time = time;
  }

  /**
   * What was counted within an hour.
   *
   * @param beganAt moment of the first; in the maps the earliest comes first
   */
  private record Hour(long beganAt, int count) {}

  private record Asked(String owner, String host) {}

  /**
   * Takes connections from what is left of the hour.
   *
   * @param owner the caller's who asks for the plan; null where nobody in particular does
   * @param reserve connections to leave
   * @return how many may be made, from 0 to {@code wanted}
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
   * Takes connections of the destination alone, which somebody says to have made: a claim leaves
   * the other ports of its host theirs.
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

  /** Connections that were taken were not made: the destination's hour has them again. */
  void giveBack(HostPort destination, int connections) {
    HostPort known = canonical(destination);
    if (destinations.containsKey(known)) {
      add(destinations, known, -connections);
      add(hosts, known.host(), -connections);
    }
  }

  /** How many connections the destination's hour has left. */
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

  /** One spelling of each host. */
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
