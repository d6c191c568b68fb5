package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.WayComparison;
import io.cascade.contract.ComparisonDocument;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.PairedComparison;
import io.cascade.model.uncertainty.Interval;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Recent comparisons of direct ways and cascades. Kept in memory only, since a result is valid for
 * minutes. They are independent of corrections, which are factors of single links and applied by
 * half.
 */
@Component
class WayComparisons {
  /** Time for which a decided comparison counts: as long as a link's transfer is fresh. */
  static final Duration DECIDED = MeasuredLink.FRESH;

  /** Time after which an undecided comparison may be made again. */
  static final Duration OPEN = DecisiveTests.AGAIN;

  private static final int MOST_REMEMBERED = 1_000;

  private final Timekeeper time;
  private final Map<TestedWays, Known> known = BoundedMap.ofLatest(MOST_REMEMBERED);

  WayComparisons(Timekeeper time) {
    this.time = time;
  }

  /**
   * Result of the tests of a comparison.
   *
   * @param bytes bytes that they sent
   * @param length size and duration of the tests
   * @param stoppedBecause why the tests stopped early; null if they did not
   */
  record Outcome(
      PairedComparison result, long bytes, TestLength length, @Nullable String stoppedBecause) {
    boolean isDecided() {
      return result.decision() != Decision.UNDECIDED;
    }

    /**
     * Whether the result decides the plan for a transfer.
     *
     * @param wanted bytes of the transfer; empty if unknown
     */
    boolean decides(OptionalLong wanted) {
      return isDecided() && length.tellsOf(wanted);
    }
  }

  private record Known(Outcome outcome, long mark) {}

  /** Stores the result of a comparison. */
  synchronized void compared(TestedWays ways, Outcome outcome) {
    known.remove(ways);
    known.put(ways, new Known(outcome, time.mark()));
  }

  /** The result of a recent comparison; empty if there is none. */
  synchronized Optional<Outcome> find(TestedWays ways) {
    return latest(ways).map(Known::outcome);
  }

  /**
   * The latest comparison through the same relays in which the cascade was faster: of these ways,
   * or of ones with other congestion controls.
   */
  synchronized Optional<TestedWays> fasterThrough(TestedWays ways) {
    return known.keySet().stream()
        .filter(ways::isThroughTheSameRelaysAs)
        .filter(one ->
            latest(one)
                .filter(found -> found.outcome().result().decision() == Decision.CASCADE)
                .isPresent())
        .reduce((_, later) -> later);
  }

  private Optional<Known> latest(TestedWays ways) {
    return Optional.ofNullable(known.get(ways))
        .filter(one -> !time.passed(one.mark(), one.outcome().isDecided() ? DECIDED : OPEN));
  }

  /** A plan with the result of its ways' comparison, if there is a recent one. */
  synchronized Plan shown(Plan plan, TestedWays ways) {
    Optional<Known> compared = latest(ways);
    if (compared.isEmpty()) {
      return plan;
    }
    Outcome outcome = compared.get().outcome();
    Plan shown = ComparisonDocument.with(plan, document(ways, compared.get()));
    return outcome.isDecided() && plan.decision() == io.cascade.api.orchestrator.Decision.UNDECIDED
        ? ComparisonDocument.withNote(shown, outcome.length().words())
        : shown;
  }

  /** The result in the contract's form. */
  synchronized Optional<WayComparison> document(TestedWays ways) {
    return latest(ways).map(one -> document(ways, one));
  }

  private WayComparison document(TestedWays ways, Known compared) {
    Outcome outcome = compared.outcome();
    double ageSeconds = Math.max(0, time.millisSince(compared.mark()) / 1e3);
    Interval ratio = outcome.result().ratio();
    return WayComparison.builder()
        .from(ways.from())
        .to(ways.to())
        .relays(ways.relays())
        .pairs(outcome.result().pairs())
        .bytes(outcome.bytes())
        .ratioLow(ratio.low() > 0 ? (Double) ratio.low() : null)
        .ratio(ratio.likely())
        .ratioHigh(Double.isFinite(ratio.high()) ? (Double) ratio.high() : null)
        .decision(io.cascade.api.orchestrator.Decision.valueOf(outcome.result().decision().name()))
        .ageSeconds(ageSeconds)
        .stoppedBecause(outcome.stoppedBecause())
        .build();
  }
}
