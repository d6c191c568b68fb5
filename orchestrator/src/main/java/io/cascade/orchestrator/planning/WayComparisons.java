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
 * How the direct way and a cascade compared lately. In memory alone: an answer counts for minutes.
 * It is none of the corrections, which are factors of single links and believed by half.
 */
@Component
class WayComparisons {
  /** Time for which a decided comparison counts, as long as a link's transfer is fresh. */
  static final Duration DECIDED = MeasuredLink.FRESH;

  /** Time after which one that decided nothing may be made again. */
  static final Duration OPEN = DecisiveTests.AGAIN;

  private static final int MOST_REMEMBERED = 1_000;

  private final Timekeeper time;
  private final Map<TestedWays, Known> known = BoundedMap.ofLatest(MOST_REMEMBERED);

  WayComparisons(Timekeeper time) {
    this.time = time;
  }

  /**
   * Tests that were made.
   *
   * @param bytes that they moved
   * @param length of the tests
   * @param stoppedBecause why there were no more; null where none were of use
   */
  record Outcome(
      PairedComparison result, long bytes, TestLength length, @Nullable String stoppedBecause) {
    boolean isDecided() {
      return result.decision() != Decision.UNDECIDED;
    }

    /**
     * Whether it decides the plan for a transfer.
     *
     * @param wanted its bytes; empty where that is unknown
     */
    boolean decides(OptionalLong wanted) {
      return isDecided() && length.tellsOf(wanted);
    }
  }

  private record Known(Outcome outcome, long mark) {}

  /** Notes how two ways compared. */
  synchronized void compared(TestedWays ways, Outcome outcome) {
    known.remove(ways);
    known.put(ways, new Known(outcome, time.mark()));
  }

  /** How they compared; empty where nobody knows any more. */
  synchronized Optional<Outcome> find(TestedWays ways) {
    return latest(ways).map(Known::outcome);
  }

  /**
   * The latest test of the same relays in which the cascade was the faster way: these ways, or such
   * as differ in how relays send.
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

  /** A plan with how its ways compared, where that is known. */
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

  /** The contract's document of how they compared. */
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
