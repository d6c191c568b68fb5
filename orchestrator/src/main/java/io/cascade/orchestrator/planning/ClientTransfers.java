package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What clients' own transfers achieved on the client's first leg: to a destination directly, or to
 * a first relay. Kept in memory, the {@value #MOST} ways that were used last, each rate for a day.
 */
@Component
public class ClientTransfers {
  static final int MOST = 1_000;
  static final Duration KEPT = Duration.ofDays(1);

  /** Less says more of the set-up than of the way. */
  static final long LEAST_BYTES = 1 << 20;

  private final Timekeeper time;
  private final Map<Way, Seen> ways =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Way, Seen> eldest) {
          return size() > MOST;
        }
      };

  /**
   * A way from a client's address.
   *
   * @param to a destination as HOST:PORT, or a relay's name
   */
  private record Way(String client, String to) {}

  private record Seen(double bitsPerSecond, long mark) {}

  ClientTransfers(Timekeeper time) {
    this.time = time;
  }

  /** The highest rate within a day counts. */
  synchronized void reported(String client, TransferReport report) {
    HostPort destination = Destinations.parse(report.destination());
    if (report.bytes() < LEAST_BYTES) {
      return;
    }
    List<String> relays = Objects.requireNonNullElse(report.relays(), List.of());
    Way way = new Way(client, relays.isEmpty() ? destination.toString() : relays.getFirst());
    Double before = rate(way);
    if (before == null || report.bitsPerSecond() >= before) {
      ways.put(way, new Seen(report.bitsPerSecond(), time.mark()));
    }
  }

  /** What a client measured, with the rates that it reported where it says none. */
  public synchronized @Nullable Source completed(
      String client, String destination, @Nullable Source source) {
    if (source == null || source.observations() == null) {
      return source;
    }
    String to = Destinations.parse(destination).toString();
    List<Observation> observations =
        source.observations().stream().map(one -> completed(client, to, one)).toList();
    return new Source(source.relay(), observations, source.congestionControl());
  }

  private Observation completed(String client, String destination, Observation one) {
    if (one == null || one.to() == null || one.deliveredBitsPerSecond() != null) {
      return one;
    }
    Double rate = rate(new Way(client, one.to().equals(DESTINATION) ? destination : one.to()));
    return rate == null
        ? one
        : new Observation(one.to(), one.sent(), one.lost(), one.rttMillis(), rate);
  }

  private @Nullable Double rate(Way way) {
    Seen seen = ways.get(way);
    return seen == null || time.passed(seen.mark(), KEPT) ? null : (Double) seen.bitsPerSecond();
  }
}
