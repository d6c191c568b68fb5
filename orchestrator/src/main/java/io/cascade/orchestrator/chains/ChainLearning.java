package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.model.calibration.Outcome;
import io.cascade.orchestrator.corrections.CorrectionBook;
import io.cascade.orchestrator.time.Ticking;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Compares what streams achieved with what was predicted for their chain, once they have completed,
 * and lets the {@link CorrectionBook} learn of the links between relays.
 */
@Component
class ChainLearning {
  private static final Duration ROUND = Duration.ofSeconds(10);
  private static final int MOST_CHAINS_A_ROUND = 200;
  private static final int MOST_REMEMBERED = 20_000;

  /** A relay that held this much had data waiting for its next hop. */
  private static final long WAITING_BYTES = 128 << 10;

  /** Round trips of slow start from ten packets to more than two thousand. */
  private static final int ROUNDS_OF_SLOW_START = 8;

  private final ChainBook book;
  private final ChainTraffic traffic;
  private final CorrectionBook corrections;

  /** Streams that have taught their lesson. */
  private final Map<UUID, Boolean> learned =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private @Nullable Ticking ticking;

  ChainLearning(ChainBook book, ChainTraffic traffic, CorrectionBook corrections) {
    this.book = book;
    this.traffic = traffic;
    this.corrections = corrections;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    AtomicBoolean first = new AtomicBoolean(true);
    ticking = Ticking.every(ROUND, "learning", () -> round(first.getAndSet(false)));
  }

  @PreDestroy
  void stop() {
    if (ticking != null) {
      ticking.close();
    }
  }

  /**
   * @param first of this process: what has completed by now has taught the one before it
   */
  private void round(boolean first) {
    book.carrying().stream()
        .filter(chain -> prediction(chain).isPresent())
        .limit(MOST_CHAINS_A_ROUND)
        .forEach(first ? this::remember : this::learn);
  }

  /** Also before a chain is closed, when its relays are about to forget its streams. */
  void learn(Chain chain) {
    Optional<Candidate> prediction = prediction(chain);
    if (prediction.isEmpty() || chain.relays().size() < 2) {
      return;
    }
    completed(chain)
        .forEach((id, reports) -> {
          if (remember(id)) {
            learn(chain, prediction.get(), reports);
          }
        });
  }

  private void remember(Chain chain) {
    completed(chain).keySet().forEach(stream -> remember(stream));
  }

  /** The streams that every relay of the chain has seen to their good end. */
  private Map<UUID, List<StreamReport>> completed(Chain chain) {
    Map<UUID, List<StreamReport>> streams = new LinkedHashMap<>();
    traffic
        .reports(chain)
        .forEach((_, reports) ->
            reports.forEach(report ->
                streams.computeIfAbsent(report.streamId(), _ -> new ArrayList<>()).add(report)));
    streams
        .values()
        .removeIf(reports ->
            reports.size() != chain.relays().size()
                || reports.stream().anyMatch(one -> one.state() != StreamState.COMPLETED));
    return streams;
  }

  private synchronized boolean remember(UUID stream) {
    return learned.put(stream, true) == null;
  }

  private void learn(Chain chain, Candidate prediction, List<StreamReport> reports) {
    List<HopPrediction> hops = prediction.hops();
    StreamReport egress = reports.getLast();
    Outcome outcome =
        new Outcome(
            egress.forward().bytesOut(),
            egress.durationMillis() / 1e3,
            hops.stream().map(ChainLearning::uncorrected).toList(),
            startSeconds(prediction),
            limiting(reports));
    for (Outcome.Lesson lesson : outcome.lessons()) {
      HopPrediction hop = hops.get(lesson.hop());
      boolean betweenRelays = lesson.hop() > 0 && lesson.hop() < hops.size() - 1;
      String control = hop.congestionControl();
      if (betweenRelays && control != null && asPredicted(chain, lesson.hop() - 1)) {
        corrections.learn(
            new CorrectionBook.Link(hop.from(), hop.to(), control), lesson.ratio(), 1);
      }
    }
  }

  /**
   * Whether the plan reckoned with how the hop sends: it knows no options of single hops.
   *
   * @param hop from the ingress relay
   */
  private static boolean asPredicted(Chain chain, int hop) {
    HopOptions own = HopOverrides.at(chain.request().options(), hop);
    return own == null || (own.congestionControl() == null && own.pacingBitsPerSecond() == null);
  }

  /**
   * The hop behind the last relay in which data waited; relay i sends over hop i + 1. A burst after
   * a repaired loss fills the next relay for a moment, but less than what waits for a slow hop.
   */
  private static OptionalInt limiting(List<StreamReport> reports) {
    long most =
        reports.stream().mapToLong(report -> report.forward().peakHeldBytes()).max().orElse(0);
    for (int relay = reports.size() - 1; relay >= 0; relay--) {
      if (reports.get(relay).forward().peakHeldBytes() >= Math.max(WAITING_BYTES, most / 2)) {
        return OptionalInt.of(relay + 1);
      }
    }
    return OptionalInt.empty();
  }

  private static double uncorrected(HopPrediction hop) {
    Double rate = hop.bitsPerSecond();
    Double correction = hop.correction();
    if (rate == null || !(rate > 0)) {
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

  /** What was predicted of a chain's relays when it was opened, hop by hop. */
  static Optional<Candidate> prediction(Chain chain) {
    Plan plan = chain.plan();
    return plan == null
        ? Optional.empty()
        : plan.candidates().stream()
            .filter(candidate ->
                candidate.kind() == CandidateKind.CASCADE
                    && candidate.relays().equals(chain.relays())
                    && candidate.hops().size() == chain.relays().size() + 1)
            .findFirst();
  }
}
