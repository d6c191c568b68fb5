package io.cascade.orchestrator.chains;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.advice.SeenDestinations;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Reports what chains carry to their destinations, from the counters of their first relays. */
@Component
class ChainDestinations implements ChainMemory {
  /** Fewer bytes between two readings give no rate. */
  private static final long LEAST_BYTES = 1 << 20;

  private static final Duration LEAST_BETWEEN = Duration.ofSeconds(1);
  private static final Duration MOST_BETWEEN = Duration.ofSeconds(60);

  private final Told told;
  private final Timekeeper time;
  private final Map<UUID, Reading> readings = new HashMap<>();

  private record Reading(long mark, StreamTotals totals) {}

  /** Listener for what chains carried, see {@link SeenDestinations#chained}. */
  interface Told {
    void chained(
        RouteHops route, HostPort destination, long streams, long bytes, double bitsPerSecond);
  }

  @Autowired
  ChainDestinations(SeenDestinations seen, Timekeeper time) {
    this(seen::chained, time);
  }

  ChainDestinations(Told told, Timekeeper time) {
    this.told = told;
    this.time = time;
  }

  /** Receives the totals of a relay of the chain; those of the first relay count. */
  void counted(Chain chain, String relay, StreamTotals totals) {
    counted(chain.id(), chain.installedRoute(), chain.request().destination(), relay, totals);
  }

  /** Receives the totals of a relay; those of the first relay count. */
  void counted(UUID chain, RouteHops route, String destination, String relay, StreamTotals totals) {
    if (!route.firstRelay().equals(relay)) {
      return;
    }
    Reading now = new Reading(time.mark(), totals);
    Reading before;
    synchronized (this) {
      before = readings.get(chain);
      if (before != null && !time.passed(before.mark(), LEAST_BETWEEN)) {
        return;
      }
      readings.put(chain, now);
    }
    if (before == null && totals.running() == 0) {
      return; // what an earlier process of the orchestrator saw is not recent
    }
    // A relay that has restarted counts from zero.
    Reading since = before != null && totals.opened() >= before.totals().opened() ? before : null;
    long opened = totals.opened() - (since == null ? 0 : since.totals().opened());
    long forward = grown(since == null ? 0 : since.totals().forwardBytes(), totals.forwardBytes());
    long backward =
        grown(since == null ? 0 : since.totals().backwardBytes(), totals.backwardBytes());
    if (opened > 0 || forward + backward > 0) {
      told.chained(
          route,
          HostPort.parse(destination),
          opened,
          forward + backward,
          since == null ? 0 : rate(Math.max(forward, backward), since, now));
    }
  }

  /**
   * The rate over the time in which there were streams, which is part of the time between the
   * readings.
   */
  private static double rate(long bytes, Reading since, Reading now) {
    long nanos = now.mark() - since.mark();
    if (bytes < LEAST_BYTES || nanos >= MOST_BETWEEN.toNanos()) {
      return 0;
    }
    double between = nanos / 1e9;
    double lived = lives(now.totals()) - lives(since.totals());
    return Byte.SIZE * bytes / (lived > 0 ? Math.min(between, lived) : between);
  }

  /**
   * The sum of the lifetimes of all streams, in seconds: at least the time in which there was any
   * stream. 0 if the relay does not report it.
   */
  private static double lives(StreamTotals totals) {
    Stalls stalls = totals.forwardStalls();
    return stalls == null
        ? 0
        : stalls.dataSeconds() + stalls.sinkSeconds() + stalls.budgetSeconds();
  }

  private static long grown(long before, long now) {
    return Math.max(0, now - before);
  }

  @Override
  public synchronized void retain(Predicate<UUID> open) {
    readings.keySet().removeIf(open.negate());
  }
}
