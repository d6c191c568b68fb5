package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan in one sentence for people: through which relays, how many times as fast as direct, and
 * how sure that is.
 *
 * @param relays relays of the best cascade; null if none is possible
 * @param probabilityCascadeWins null if it cannot be computed
 */
record PlanSentence(
    Decision decision,
    @Nullable List<String> relays,
    List<Candidate> candidates,
    @Nullable Double probabilityCascadeWins) {

  String words() {
    Candidate direct = PlanReasons.find(candidates, CandidateKind.DIRECT, List.of());
    if (relays == null || relays.isEmpty()) {
      return withoutRelays(direct);
    }
    Optional<Candidate> best =
        Optional.ofNullable(PlanReasons.find(candidates, CandidateKind.CASCADE, relays));
    String via = "through " + names(relays) + best.map(ControlText::of).orElse("");
    Optional<SpeedRatio> ratio = best.flatMap(cascade -> SpeedRatio.of(direct, cascade));
    String rival = best.flatMap(this::besideRival).orElse("");
    return switch (decision) {
      case CASCADE ->
          capital(via)
              + ratio.map(gain -> ": " + gain.words()).orElse(notCompared(direct))
              + rival
              + ".";
      case DIRECT ->
          "Directly"
              + ratio
                  .map(gain -> ": " + via + " it would be " + gain.words())
                  .orElse(": nothing shows that relays would help")
              + ".";
      case EQUAL ->
          "Either, within 10 %"
              + ratio.map(gain -> ": " + via + " it would be " + gain.words()).orElse("")
              + rival
              + ".";
      case UNDECIDED ->
          ratio
                  .map(gain -> "Undecided: " + via + " it may be " + gain.words())
                  .orElse(
                      "Undecided: too little was measured to compare the way "
                          + via
                          + " with the direct one")
              + rival
              + odds()
              + ".";
    };
  }

  /**
   * Speed of the best cascade as a multiple of direct, and compared with the best other way without
   * relays, in words; empty if unknown.
   */
  Optional<String> timesAsFast() {
    if (relays == null) {
      return Optional.empty();
    }
    Candidate direct = PlanReasons.find(candidates, CandidateKind.DIRECT, List.of());
    return Optional.ofNullable(PlanReasons.find(candidates, CandidateKind.CASCADE, relays))
        .flatMap(cascade ->
            SpeedRatio.of(direct, cascade)
                .map(ratio -> ratio.words() + besideRival(cascade).orElse("")));
  }

  /**
   * The cascade compared with the best of the other ways without relays, if that is better than
   * direct.
   */
  private Optional<String> besideRival(Candidate cascade) {
    return PlanReasons.bestRival(candidates)
        .flatMap(rival ->
            SpeedRatio.likely(rival, cascade)
                .map(gain -> "; " + RivalText.of(gain, PlanReasons.connection(rival), "that")));
  }

  private static String notCompared(@Nullable Candidate direct) {
    return isEstimate(direct)
        ? ": no rate was seen there to compare with direct"
        : ": the direct way is not known";
  }

  private static boolean isEstimate(@Nullable Candidate way) {
    return way != null && (way.seconds() != null || way.bitsPerSecond() != null);
  }

  private String withoutRelays(@Nullable Candidate direct) {
    boolean known = isEstimate(direct) || (direct != null && direct.evidence() != null);
    return !known
        ? "No way was found: the destination was not reached, and no relay leads there."
        : "Directly: no relay leads there.";
  }

  private String odds() {
    return probabilityCascadeWins == null
        ? ""
        : "; relays are faster with a probability of " + Quantities.percent(probabilityCascadeWins);
  }

  private static String names(List<String> relays) {
    return relays.size() == 1
        ? relays.getFirst()
        : String.join(", ", relays.subList(0, relays.size() - 1)) + " and " + relays.getLast();
  }

  private static String capital(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
