package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a plan decides as it does, and how sure that is, from what its document holds. */
final class PlanReasons {
  private PlanReasons() {}

  /** What the direct way and the slowest hop of the best cascade are expected to carry, and why. */
  static Optional<String> why(Plan plan) {
    List<String> reasons =
        Stream.concat(
                slowest(direct(plan)).map(hop -> "directly " + words(hop)).stream(),
                slowest(cascade(plan))
                    .map(hop ->
                        "on the slowest hop, " + hop.from() + " → " + hop.to() + ", " + words(hop))
                    .stream())
            .toList();
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons) + ".");
  }

  /** The probability that relays are faster, and the fewest packets that any estimate rests on. */
  static Optional<String> howSure(Plan plan) {
    List<String> words = new ArrayList<>();
    Double wins = plan.probabilityCascadeWins();
    if (wins != null) {
      words.add("relays are faster with a probability of " + Quantities.percent(wins));
    }
    Stream.of(direct(plan), cascade(plan))
        .filter(Objects::nonNull)
        .flatMap(candidate -> candidate.hops().stream())
        .map(HopPrediction::probesSent)
        .filter(Objects::nonNull)
        .min(Long::compare)
        .ifPresent(least ->
            words.add("of each way at least " + least + " packets or connections were counted"));
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", words) + ".");
  }

  private static @Nullable Candidate direct(Plan plan) {
    return PlanText.candidate(plan, CandidateKind.DIRECT, List.of());
  }

  private static @Nullable Candidate cascade(Plan plan) {
    List<String> relays = plan.relays();
    return relays == null ? null : PlanText.candidate(plan, CandidateKind.CASCADE, relays);
  }

  private static Optional<HopPrediction> slowest(@Nullable Candidate candidate) {
    return candidate == null
        ? Optional.empty()
        : candidate.hops().stream()
            .filter(hop -> Boolean.TRUE.equals(hop.bottleneck()) && hop.bitsPerSecond() != null)
            .findFirst();
  }

  private static String words(HopPrediction hop) {
    String rate = Quantities.rate(hop.bitsPerSecond());
    return hop.rttMillis() == null || hop.lossRate() == null
        ? rate
        : rate
            + " at a round trip of "
            + Quantities.millis(hop.rttMillis())
            + " and a loss of "
            + Quantities.percent(hop.lossRate());
  }
}
