package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A plan in a sentence that a person can act on: through which relays, how many times as fast as
 * directly, and how sure that is.
 *
 * @param relays the best cascade's; null where none is possible
 * @param probabilityCascadeWins null where it cannot be given
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
    Optional<Ratio> ratio = best.flatMap(cascade -> Ratio.of(direct, cascade));
    return switch (decision) {
      case CASCADE ->
          capital(via)
              + ratio.map(gain -> ": " + gain.words()).orElse(": the direct way is not known")
              + ".";
      case DIRECT ->
          "Directly"
              + ratio
                  .map(gain -> ": " + via + " it would be " + gain.words())
                  .orElse(": nothing shows that relays would help")
              + ".";
      case UNDECIDED ->
          ratio
                  .map(gain -> "Undecided: " + via + " it may be " + gain.words())
                  .orElse(
                      "Undecided: too little was measured to compare the way "
                          + via
                          + " with the direct one")
              + odds()
              + ".";
    };
  }

  /** Speed of the best cascade as a multiple of direct, in words; empty where nobody knows. */
  Optional<String> timesAsFast() {
    Candidate direct = PlanReasons.find(candidates, CandidateKind.DIRECT, List.of());
    return relays == null ? Optional.empty() : ratio(direct, relays).map(Ratio::words);
  }

  private Optional<Ratio> ratio(@Nullable Candidate direct, List<String> through) {
    return Optional.ofNullable(PlanReasons.find(candidates, CandidateKind.CASCADE, through))
        .flatMap(cascade -> Ratio.of(direct, cascade));
  }

  private String withoutRelays(@Nullable Candidate direct) {
    return direct == null || (direct.seconds() == null && direct.bitsPerSecond() == null)
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

  /**
   * Rate as a multiple of the direct path's.
   *
   * @param low lower bound, or null where nothing bounds it
   * @param high upper bound, or null where nothing bounds it
   */
  record Ratio(double likely, @Nullable Double low, @Nullable Double high) {

    /** Compares by time where both have one, otherwise by rate; empty where either is unknown. */
    static Optional<Ratio> of(@Nullable Candidate direct, Candidate cascade) {
      if (direct == null) {
        return Optional.empty();
      }
      return of(
              direct.secondsLow(),
              direct.seconds(),
              direct.secondsHigh(),
              cascade.secondsLow(),
              cascade.seconds(),
              cascade.secondsHigh())
          .or(() ->
              of(
                  cascade.bitsPerSecondLow(),
                  cascade.bitsPerSecond(),
                  cascade.bitsPerSecondHigh(),
                  direct.bitsPerSecondLow(),
                  direct.bitsPerSecond(),
                  direct.bitsPerSecondHigh()));
    }

    /**
     * The quotient of two independent estimates. Their errors add in quadrature on a logarithmic
     * scale, as those of two normal distributions do.
     */
    private static Optional<Ratio> of(
        @Nullable Double aboveLow,
        @Nullable Double above,
        @Nullable Double aboveHigh,
        @Nullable Double belowLow,
        @Nullable Double below,
        @Nullable Double belowHigh) {
      if (above == null || below == null || above <= 0 || below <= 0) {
        return Optional.empty();
      }
      double likely = above / below;
      Double down = inQuadrature(aboveLow, above, below, belowHigh);
      Double up = inQuadrature(above, aboveHigh, belowLow, below);
      return Optional.of(
          new Ratio(
              likely,
              down == null ? null : (Double) (likely / down),
              up == null ? null : (Double) (likely * up)));
    }

    /** A factor, 1 or more; null where one of the bounds is unknown. */
    private static @Nullable Double inQuadrature(
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double otherLow,
        @Nullable Double otherHigh) {
      if (low == null || high == null || otherLow == null || otherHigh == null) {
        return null;
      }
      if (low <= 0 || otherLow <= 0) {
        return null;
      }
      return Math.exp(Math.hypot(Math.log(high / low), Math.log(otherHigh / otherLow)));
    }

    String words() {
      String asFast = " times as fast as direct";
      if (low != null && high == null) {
        return "at least " + times(low) + asFast;
      }
      if (low == null && high != null) {
        return "at most " + times(high) + asFast;
      }
      String about = "about " + times(likely) + asFast;
      return low == null || high == null
          ? about + " as far as was seen"
          : about + " (likely " + times(low) + " to " + times(high) + ")";
    }

    /** Two significant digits at most, and none that says nothing. */
    private static String times(double factor) {
      if (factor >= 9.95) {
        return factor > 1_000 ? "more than 1000" : String.valueOf(Math.round(factor));
      }
      String text = String.format(Locale.ROOT, factor < 0.995 ? "%.2f" : "%.1f", factor);
      return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
  }
}
