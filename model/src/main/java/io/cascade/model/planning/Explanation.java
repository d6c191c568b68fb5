package io.cascade.model.planning;

import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts a plan into words and numbers. */
final class Explanation {

  private static final int MOST_NAMED = 3;

  private final PlanRequest request;
  private final Plan plan;
  private final Candidate direct;

  /** Explains a plan that is complete but for its words. */
  Explanation(PlanRequest request, Plan plan) {
    this.request = request;
    this.plan = plan;
    this.direct = plan.candidate(Candidate.Kind.DIRECT).orElseThrow();
  }

  String words() {
    List<String> sentences = new ArrayList<>();
    sentences.add(result(direct) + (plan.bestCascade().isEmpty() ? "." : ";"));
    plan.bestCascade()
        .ifPresent(cascade -> {
          sentences.add(
              (request.via().isEmpty() ? "best cascade " : "required cascade ")
                  + result(cascade)
                  + bottleneck(cascade)
                  + ".");
        });
    sentences.add(reason());
    probability().ifPresent(sentences::add);
    if (!plan.measureNext().isEmpty()) {
      sentences.add(advice(plan.measureNext()));
    }
    fasterRivals().ifPresent(sentences::add);
    prices().ifPresent(sentences::add);
    excluded().ifPresent(sentences::add);
    return String.join(" ", sentences);
  }

  private static String result(Candidate candidate) {
    if (candidate.prediction().isEmpty()) {
      return candidate.kind() == Candidate.Kind.DIRECT
          ? candidate.basis()
          : candidate.label() + ": " + candidate.basis();
    }
    Prediction prediction = candidate.prediction().get();
    if (!prediction.hasLikelyRate()) {
      return candidate.label() + ": " + ceiling(prediction);
    }
    if (unlimited(candidate)) {
      return candidate.label() + ": as fast as its capacity allows, which was not measured";
    }
    if (Double.isInfinite(prediction.goodputBitsPerSecond().high())
        && prediction.knowledge() == Prediction.Knowledge.AT_LEAST) {
      return candidate.label() + ": " + atLeast(prediction);
    }
    String rate =
        prediction.transferSeconds().isPresent()
            ? Figures.seconds(prediction.transferSeconds().get())
                + " at "
                + Figures.rate(prediction.goodputBitsPerSecond().likely())
            : Figures.rate(prediction.goodputBitsPerSecond());
    return candidate.label() + ": " + rate;
  }

  private static String limit(Prediction prediction) {
    RateLimit limit = prediction.bottleneckHop().limit();
    boolean seen = prediction.knowledge() == Prediction.Knowledge.AT_LEAST;
    return seen && limit == RateLimit.CAPACITY ? "the highest rate that was seen" : limit.words();
  }

  /** Describes the rate that losses alone allow over a way over which no rate was seen. */
  private static String ceiling(Prediction prediction) {
    double most = prediction.goodputBitsPerSecond().high();
    return "no rate was seen yet"
        + (Double.isFinite(most) ? ", at most " + Figures.rate(most) + " by its losses" : "");
  }

  private static String atLeast(Prediction prediction) {
    String rate = "at least " + Figures.rate(prediction.goodputBitsPerSecond().likely());
    return prediction
        .transferSeconds()
        .map(time -> "at most " + Figures.seconds(time.likely()) + ", " + rate)
        .orElse(rate);
  }

  private static String bottleneck(Candidate cascade) {
    return cascade
        .prediction()
        .filter(Prediction::hasLikelyRate)
        .filter(known -> known.bottleneckHop().limit() != RateLimit.NOTHING_KNOWN)
        .map(
            known -> "; the hop " + known.bottleneckHop().name() + " limits it, by " + limit(known))
        .orElse("");
  }

  private String reason() {
    if (!request.via().isEmpty()) {
      return "The relays were required"
          + plan.gain().map(gain -> ": " + speed(gain)).orElse("")
          + ".";
    }
    if (plan.bestCascade().isEmpty()) {
      if (!request.directPathExists()) {
        return "No way leads to the destination, neither directly nor through relays.";
      }
      return request.maxRelays() == 0
          ? "No relays are allowed: direct."
          : "No measured route leads through relays"
              + (limited() ? " within the limits" : "")
              + ": direct.";
    }
    if (!request.directPathExists()) {
      return "The source does not reach the destination without relays: through them.";
    }
    if (request.objective() == Objective.PRICE) {
      return priceReason();
    }
    if (plan.gain().isEmpty()) {
      return "Nothing to compare the cascade with: undecided.";
    }
    Interval gain = plan.gain().get();
    if (plan.decision() == Decision.UNDECIDED && !haveLikelyRates()) {
      return "What was measured cannot tell, since on some links no rate was seen yet.";
    }
    return switch (plan.decision()) {
      case CASCADE -> "On what was measured, " + speed(gain) + ": through the relays.";
      case DIRECT ->
          unlimited(direct)
              ? "The direct path is not held back by its loss but by a capacity that was not measured, and relays do not raise"
                  + " that: direct."
              : "On what was measured, " + speed(gain) + ": direct.";
      case UNDECIDED ->
          "On what was measured, "
              + speed(gain)
              + ": that cannot tell, "
              + lean()
              + " is the likelier choice.";
    };
  }

  private String priceReason() {
    String rate = Figures.rate(request.limits().leastBitsPerSecond().orElse(0));
    if (!plan.chosen().reaches(request)) {
      return "Nothing is likely to reach the required " + rate + ": the faster choice instead.";
    }
    String words =
        "At the required "
            + rate
            + " the lowest price is "
            + plan.chosen().label()
            + ", "
            + Figures.price(plan.chosen().pricePerGibibyte())
            + " per GiB";
    return plan.decision() == Decision.UNDECIDED
        ? words + ", but what was measured cannot tell whether the rate is reached."
        : words + ".";
  }

  private boolean limited() {
    return !request.limits().equals(RouteLimits.NONE) || !plan.excluded().isEmpty();
  }

  private String lean() {
    return plan.chosen().route().isDirect() ? "direct" : "the cascade";
  }

  private Optional<String> probability() {
    return plan.decision() == Decision.UNDECIDED && plan.probabilityCascadeWins().isPresent()
        ? Optional.of(
            "The cascade wins with a probability of "
                + Figures.wholePercent(plan.probabilityCascadeWins().getAsDouble())
                + ".")
        : Optional.empty();
  }

  private Optional<String> prices() {
    if (request.objective() != Objective.TIME_AND_PRICE) {
      return Optional.empty();
    }
    return Optional.of(
        "Nothing beats in both time and price: "
            + plan.front().stream()
                .map(one ->
                    result(one) + " for " + Figures.price(one.pricePerGibibyte()) + " per GiB")
                .collect(Collectors.joining("; "))
            + ".");
  }

  private Optional<String> excluded() {
    List<Exclusion> excluded = plan.excluded();
    if (excluded.isEmpty()) {
      return Optional.empty();
    }
    String words =
        excluded.stream()
            .limit(MOST_NAMED)
            .map(one -> "relay " + one.relay() + " excluded: " + one.reason())
            .collect(Collectors.joining("; "));
    int more = excluded.size() - MOST_NAMED;
    return Optional.of(
        Character.toUpperCase(words.charAt(0))
            + words.substring(1)
            + (more > 0 ? "; and " + more + " more." : "."));
  }

  private static boolean unlimited(Candidate candidate) {
    return candidate
        .prediction()
        .filter(known -> known.hasLikelyRate())
        .filter(known -> Double.isInfinite(known.steadyBitsPerSecond().likely()))
        .isPresent();
  }

  /** Whether both sides have a likely rate, and so the gain a likely value. */
  private boolean haveLikelyRates() {
    return Stream.of(Optional.of(direct), plan.bestCascade())
        .flatMap(Optional::stream)
        .flatMap(candidate -> candidate.prediction().stream())
        .allMatch(Prediction::hasLikelyRate);
  }

  private String speed(Interval gain) {
    if (Double.isInfinite(gain.high())) {
      return gain.low() > 0
          ? "the cascade is at least " + Figures.times(gain.low()) + " as fast"
          : "the cascade may be slower or faster by any factor";
    }
    if (!haveLikelyRates()) {
      return "the cascade is at most " + Figures.times(gain.high()) + " as fast";
    }
    return "the cascade is "
        + Figures.times(gain.likely())
        + " as fast (between "
        + Figures.times(gain.low())
        + " and "
        + Figures.times(gain.high())
        + ")";
  }

  private static String advice(List<Measurement> measureNext) {
    String words =
        measureNext.stream().map(Measurement::words).collect(Collectors.joining(" and "));
    return measureNext.getFirst().kind() == Measurement.Kind.LOSS
        ? "What would decide, if losses stay at their share: " + words + "."
        : "What would help to decide: " + words + ".";
  }

  private Optional<String> fasterRivals() {
    double chosen = plan.chosen().likelyCost();
    String faster =
        plan.candidates().stream()
            .filter(Explanation::isRival)
            .filter(rival ->
                !unlimited(rival)
                    && rival.prediction().filter(Prediction::hasLikelyRate).isPresent()
                    && rival.likelyCost() * Ranking.PRACTICALLY_EQUAL < chosen)
            .map(Explanation::result)
            .collect(Collectors.joining("; "));
    return faster.isEmpty()
        ? Optional.empty()
        : Optional.of("Faster still without relays: " + faster + ".");
  }

  private static boolean isRival(Candidate candidate) {
    return candidate.kind() == Candidate.Kind.PARALLEL_DIRECT
        || candidate.kind() == Candidate.Kind.DIRECT_BBR;
  }
}
