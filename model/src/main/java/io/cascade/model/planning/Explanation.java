package io.cascade.model.planning;

import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Puts a plan into words and numbers. */
final class Explanation {

  private final PlanRequest request;

  Explanation(PlanRequest request) {
    this.request = request;
  }

  String of(
      Verdict verdict,
      Candidate direct,
      Optional<Candidate> bestCascade,
      List<Candidate> rivals,
      List<Measurement> measureNext) {
    List<String> sentences = new ArrayList<>();
    sentences.add(result(direct) + (bestCascade.isEmpty() ? "." : ";"));
    bestCascade.ifPresent(cascade -> {
      sentences.add(
          (request.via().isEmpty() ? "best cascade " : "required cascade ")
              + result(cascade)
              + bottleneck(cascade)
              + ".");
    });
    sentences.add(reason(verdict, direct, bestCascade));
    if (!measureNext.isEmpty()) {
      sentences.add(advice(measureNext));
    }
    fasterRivals(verdict, direct, bestCascade, rivals).ifPresent(sentences::add);
    return String.join(" ", sentences);
  }

  private static String result(Candidate candidate) {
    if (candidate.prediction().isEmpty()) {
      return candidate.kind() == Candidate.Kind.DIRECT
          ? candidate.basis()
          : candidate.label() + ": " + candidate.basis();
    }
    Prediction prediction = candidate.prediction().get();
    if (unlimited(candidate)) {
      return candidate.label() + ": as fast as its capacity allows, which was not measured";
    }
    String rate =
        prediction.transferSeconds().isPresent()
            ? Figures.seconds(prediction.transferSeconds().get())
                + " at "
                + Figures.rate(prediction.goodputBitsPerSecond().likely())
            : Figures.rate(prediction.goodputBitsPerSecond());
    return candidate.label() + ": " + rate;
  }

  private static String bottleneck(Candidate cascade) {
    return cascade
        .prediction()
        .map(Prediction::bottleneckHop)
        .filter(hop -> hop.limit() != RateLimit.NOTHING_KNOWN)
        .map(hop -> "; the hop " + hop.name() + " limits it, by " + hop.limit().words())
        .orElse("");
  }

  private String reason(Verdict verdict, Candidate direct, Optional<Candidate> bestCascade) {
    if (!request.via().isEmpty()) {
      return "The relays were required"
          + verdict.gain().map(gain -> ": " + speed(gain)).orElse("")
          + ".";
    }
    if (bestCascade.isEmpty()) {
      return request.maxRelays() == 0
          ? "No relays are allowed: direct."
          : "No measured route leads through relays: direct.";
    }
    if (verdict.gain().isEmpty()) {
      return "Nothing to compare the cascade with: undecided.";
    }
    Interval gain = verdict.gain().get();
    return switch (verdict.decision()) {
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
              + lean(verdict)
              + " is the likelier choice.";
    };
  }

  private static String lean(Verdict verdict) {
    return verdict.cascadeLikelyBetter() ? "the cascade" : "direct";
  }

  private static boolean unlimited(Candidate candidate) {
    return candidate
        .prediction()
        .filter(known -> Double.isInfinite(known.steadyBitsPerSecond().likely()))
        .isPresent();
  }

  private static String speed(Interval gain) {
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

  private static Optional<String> fasterRivals(
      Verdict verdict, Candidate direct, Optional<Candidate> bestCascade, List<Candidate> rivals) {
    double chosen =
        verdict.cascadeLikelyBetter()
            ? bestCascade.orElse(direct).likelyCost()
            : direct.likelyCost();
    String faster =
        rivals.stream()
            .filter(rival ->
                !unlimited(rival) && rival.likelyCost() * Ranking.PRACTICALLY_EQUAL < chosen)
            .map(Explanation::result)
            .collect(Collectors.joining("; "));
    return faster.isEmpty()
        ? Optional.empty()
        : Optional.of("Faster still without relays: " + faster + ".");
  }
}
