package io.cascade.orchestrator.advice;

import io.cascade.api.BoundedMap;
import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.links.DestinationTransfers;
import io.cascade.orchestrator.planning.DirectTransfers;
import io.cascade.orchestrator.relays.DestinationReports;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Destinations of streams: direct ones from relays' proxies and from clients that reported them,
 * and ones through chains. Kept in memory, the {@value #MOST} most recently used, each for a day
 * after its last use.
 */
@Component
public class SeenDestinations implements DestinationReports, DirectTransfers {
  static final int MOST = 1_000;
  static final Duration KEPT = Duration.ofDays(1);

  private final Rates rates;
  private final Timekeeper time;
  private final Map<HostPort, SeenDestination> seen = BoundedMap.ofLatestUsed(MOST);

  /** Receiver of the rates of direct streams. */
  interface Rates {
    void seen(String relay, HostPort destination, double bitsPerSecond);
  }

  @Autowired
  SeenDestinations(DestinationTransfers transfers, Timekeeper time) {
    this(transfers::seen, time);
  }

  SeenDestinations(Rates rates, Timekeeper time) {
    this.rates = rates;
    this.time = time;
  }

  @Override
  public void direct(String relay, HostPort destination, DestinationUse use) {
    Double rate = use.bitsPerSecond();
    if (rate != null) {
      rates.seen(relay, destination, rate);
    }
    add(
        destination,
        new SeenDestination.Use(at(relay), use.streams(), use.bytes(), rate == null ? 0 : rate),
        null);
  }

  /** The rate is already known to later plans. */
  @Override
  public void transferred(String client, HostPort destination, long bytes, double bitsPerSecond) {
    SeenDestination.Origin origin = new SeenDestination.Origin(client, true);
    add(destination, new SeenDestination.Use(origin, 1, bytes, bitsPerSecond), null);
  }

  private static SeenDestination.Origin at(String relay) {
    return new SeenDestination.Origin(relay, false);
  }

  /**
   * Records streams through a chain.
   *
   * @param route of the chain
   * @param streams that began
   * @param bytes in both directions
   * @param bitsPerSecond of all its streams in one direction; 0 where too little moved to tell
   */
  public void chained(
      RouteHops route, HostPort destination, long streams, long bytes, double bitsPerSecond) {
    add(
        destination,
        new SeenDestination.Use(at(route.firstRelay()), streams, bytes, bitsPerSecond),
        route.relays());
  }

  private synchronized void add(
      HostPort destination, SeenDestination.Use use, @Nullable List<String> chain) {
    Instant now = time.steady();
    SeenDestination before = seen.get(destination);
    if (before == null || isOld(before, now)) {
      before = SeenDestination.first(destination, now);
    }
    seen.put(destination, before.and(use, chain, now));
  }

  /** The destinations, most recently used first. */
  synchronized List<SeenDestination> latest(int limit) {
    Instant now = time.steady();
    seen.values().removeIf(one -> isOld(one, now));
    return seen.values().stream()
        .sorted(Comparator.comparing(SeenDestination::lastSeen).reversed())
        .limit(limit)
        .toList();
  }

  synchronized Optional<SeenDestination> find(HostPort destination) {
    return Optional.ofNullable(seen.get(destination)).filter(one -> !isOld(one, time.steady()));
  }

  private static boolean isOld(SeenDestination one, Instant now) {
    return one.lastSeen().isBefore(now.minus(KEPT));
  }
}
