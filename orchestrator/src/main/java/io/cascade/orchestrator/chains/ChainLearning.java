package io.cascade.orchestrator.chains;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.model.calibration.Outcome;
import io.cascade.orchestrator.corrections.CorrectionBook;
import io.cascade.orchestrator.time.PeriodicTask;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Compares the rates of completed streams with those predicted for their chain, and gives the
 * result to the {@link CorrectionBook} of the links between relays.
 */
@Component
class ChainLearning {
  private static final Duration ROUND = Duration.ofSeconds(10);

  /** Name of the congestion control of a coded hop in plans. */
  private static final String CODED = "coded";

  private static final int MOST_CHAINS_A_ROUND = 200;
  private static final int MOST_REMEMBERED = 20_000;

  /** A relay that held this much had data waiting for its next hop. */
  private static final long WAITING_BYTES = 128 << 10;

  /**
   * A hop predicted above this share of its link's highest observed rate counts as limited by that
   * rate.
   */
  private static final double CAPPED = 0.8;

  /** Round trips of slow start from ten packets to more than two thousand. */
  private static final int ROUNDS_OF_SLOW_START = 8;

  private final ChainBook book;
  private final ChainTraffic traffic;
  private final CorrectionBook corrections;

  /** Streams whose result was already used. */
  private final Map<UUID, Boolean> learned = BoundedMap.ofLatest(MOST_REMEMBERED);

  private @Nullable PeriodicTask task;

  ChainLearning(ChainBook book, ChainTraffic traffic, CorrectionBook corrections) {
    this.book = book;
    this.traffic = traffic;
    this.corrections = corrections;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    AtomicBoolean first = new AtomicBoolean(true);
    task = PeriodicTask.every(ROUND, "learning", () -> round(first.getAndSet(false)));
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
  }

  /**
   * @param first whether it is the first round of this process: streams that had completed before
   *     were used by the process before it
   */
  private void round(boolean first) {
    book.carrying().stream()
        .filter(chain -> RoutePrediction.of(chain).isPresent())
        .limit(MOST_CHAINS_A_ROUND)
        .forEach(first ? this::remember : this::learn);
  }

  /** Learns also before a chain is closed, as its relays are about to discard its streams. */
  void learn(Chain chain) {
    RoutePrediction prediction = RoutePrediction.of(chain).orElse(null);
    RouteHops route = chain.route();
    if (prediction == null || route == null || route.joiningRelays().isEmpty()) {
      return;
    }
    completed(chain, route)
        .forEach((id, reports) -> {
          if (remember(id)) {
            learn(chain, route, prediction, reports);
          }
        });
  }

  private void remember(Chain chain) {
    completed(chain, chain.installedRoute()).keySet().forEach(stream -> remember(stream));
  }

  /** The streams that every relay of the route reports as completed, by relay. */
  private Map<UUID, Map<String, StreamReport>> completed(Chain chain, RouteHops route) {
    Map<UUID, Map<String, StreamReport>> streams = new LinkedHashMap<>();
    traffic
        .reports(chain)
        .forEach((relay, reports) ->
            reports.forEach(report ->
                streams
                    .computeIfAbsent(report.streamId(), _ -> new HashMap<>())
                    .put(relay, report)));
    streams
        .values()
        .removeIf(reports ->
            !reports.keySet().containsAll(route.relays())
                || reports.values().stream().anyMatch(one -> one.state() != StreamState.COMPLETED));
    return streams;
  }

  private synchronized boolean remember(UUID stream) {
    return learned.put(stream, true) == null;
  }

  private void learn(
      Chain chain, RouteHops route, RoutePrediction prediction, Map<String, StreamReport> reports) {
    List<RouteHop> hops = route.all();
    StreamReport egress = Objects.requireNonNull(reports.get(route.lastRelay()));
    Outcome outcome =
        new Outcome(
            egress.forward().bytesOut(),
            egress.durationMillis() / 1e3,
            hops.stream().map(hop -> uncorrected(prediction.of(hop.address()))).toList(),
            startSeconds(prediction.candidate()),
            limiting(hops, reports));
    for (Outcome.Lesson lesson : outcome.lessons()) {
      RouteHop hop = hops.get(lesson.hop());
      String control = prediction.of(hop.address()).congestionControl();
      if (hop.joinsRelays() && control != null && asPredicted(chain, route, hop.address())) {
        corrections.learn(
            new CorrectionBook.Link(hop.from(), hop.to(), control), lesson.ratio(), 1);
      }
    }
  }

  /**
   * Whether the plan took the hop's sending into account: plans do not consider options of single
   * hops.
   */
  private static boolean asPredicted(Chain chain, RouteHops route, HopAddress hop) {
    ChainOptions options = chain.request().options();
    HopOptions own = HopOverrides.at(options, route, hop);
    return HopOverrides.isCoded(chain, route, hop) == isPredictedCoded(chain, hop)
        && (own == null || (own.congestionControl() == null && own.pacingBitsPerSecond() == null));
  }

  private static boolean isPredictedCoded(Chain chain, HopAddress hop) {
    return RoutePrediction.of(chain).stream()
        .map(prediction -> prediction.of(hop).congestionControl())
        .anyMatch(CODED::equals);
  }

  /**
   * The last hop for which data waited in the relay before it, as an index of {@code hops}. The
   * burst after a repaired loss fills the next relay for a moment, but with less than what waits
   * for a slow hop.
   */
  private static OptionalInt limiting(List<RouteHop> hops, Map<String, StreamReport> reports) {
    long most =
        reports.values().stream()
            .mapToLong(report -> report.forward().peakHeldBytes())
            .max()
            .orElse(0);
    long least = Math.max(WAITING_BYTES, most / 2);
    for (int i = hops.size() - 1; i >= 0; i--) {
      StreamReport sender = reports.get(hops.get(i).from());
      if (sender != null && sender.forward().peakHeldBytes() >= least) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The rate that the model predicts for a hop, in bit/s; infinite if the model did not set the
   * rate. A link whose capacity is only known from below limits the prediction to what was
   * observed; exceeding that is not an error of the model.
   */
  static double uncorrected(HopPrediction hop) {
    Double rate = hop.bitsPerSecond();
    Double correction = hop.correction();
    Double seen = hop.capacityKind() == CapacityKind.AT_LEAST ? hop.capacityBitsPerSecond() : null;
    if (rate == null || !(rate > 0) || (seen != null && rate >= CAPPED * seen)) {
      return Double.POSITIVE_INFINITY;
    }
    return rate / (correction == null ? 1 : correction);
  }

  private static double startSeconds(Candidate prediction) {
    Double setup = prediction.setupSeconds();
    double longest =
        prediction.hops().stream()
            .map(HopPrediction::rttMillis)
            .filter(rtt -> rtt != null)
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0);
    return (setup == null ? 0 : setup) + ROUNDS_OF_SLOW_START * longest / 1e3;
  }
}
