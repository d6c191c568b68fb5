package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.model.planning.Measurement;
import io.cascade.model.tcp.BbrThroughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains a plan's decision, its confidence, and further facts. */
final class PlanReasons {
  /** Factor below which a faster rival is not mentioned. */
  private static final double PRACTICALLY_EQUAL = 1.02;

  private final List<Candidate> candidates;
  private final @Nullable Candidate direct;
  private final @Nullable Candidate cascade;

  /**
   * @param relays relays of the best cascade; null if none is possible
   */
  PlanReasons(List<Candidate> candidates, @Nullable List<String> relays) {
    this.candidates = candidates;
    this.direct = find(candidates, CandidateKind.DIRECT, List.of());
    this.cascade = relays == null ? null : find(candidates, CandidateKind.CASCADE, relays);
  }

  /** The candidate of a kind through exactly these relays. */
  static @Nullable Candidate find(
      List<Candidate> candidates, CandidateKind kind, List<String> relays) {
    return candidates.stream()
        .filter(one -> one.kind() == kind && one.relays().equals(relays))
        .findFirst()
        .orElse(null);
  }

  /** Rates that the direct path and the slowest hop of the best cascade are expected to carry. */
  Optional<String> why() {
    List<String> reasons =
        Stream.concat(
                slowest(direct).map(hop -> "directly " + words(hop)).stream(),
                slowest(cascade)
                    .map(hop ->
                        "on the slowest hop, " + hop.from() + " → " + hop.to() + ", " + words(hop))
                    .stream())
            .toList();
    return sentence(reasons);
  }

  /**
   * The probability that relays are faster, and the smallest number of packets behind an estimate.
   */
  Optional<String> confidence(@Nullable Double probabilityCascadeWins) {
    List<String> words = new ArrayList<>();
    if (probabilityCascadeWins != null) {
      words.add(
          "relays are faster with a probability of " + Quantities.percent(probabilityCascadeWins));
    }
    Stream.of(direct, cascade)
        .filter(Objects::nonNull)
        .flatMap(candidate -> candidate.hops().stream())
        .map(HopPrediction::probesSent)
        .filter(Objects::nonNull)
        .min(Long::compare)
        .ifPresent(least ->
            words.add(
                "every estimate of loss rests on at least " + least + " packets or connections"));
    return sentence(words);
  }

  /** Measurements that would decide the plan, in words; empty if there are none. */
  static Optional<String> missing(List<Measurement> measureNext) {
    return measureNext.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "What would decide: "
                + measureNext.stream().map(Measurement::words).collect(Collectors.joining(" and "))
                + ".");
  }

  /** Ways without relays that are faster than the chosen one. */
  Optional<String> fasterRivals() {
    Optional<Candidate> chosen = candidates.stream().filter(Candidate::chosen).findFirst();
    String faster =
        candidates.stream()
            .filter(one -> isRival(one) && chosen.filter(best -> isFaster(one, best)).isPresent())
            .map(PlanReasons::rival)
            .collect(Collectors.joining("; "));
    return faster.isEmpty()
        ? Optional.empty()
        : Optional.of("Faster still without relays: " + faster + ".");
  }

  /** The best of the ways without relays that are faster than the usual direct one. */
  static Optional<Candidate> bestRival(List<Candidate> candidates) {
    Candidate usual = find(candidates, CandidateKind.DIRECT, List.of());
    return candidates.stream()
        .filter(one -> isRival(one) && (usual == null || isFaster(one, usual)))
        .reduce((one, other) -> isFaster(other, one) ? other : one);
  }

  /** The connections of such a way, in words that fit into a sentence. */
  static String connection(Candidate rival) {
    return rival.kind() == CandidateKind.DIRECT_BBR
        ? RivalText.BBR
        : RivalText.parallel(Objects.requireNonNullElse(rival.connections(), 1));
  }

  /** Ways without relays for which only bounds are known. */
  Optional<String> untriedRivals() {
    String untried =
        candidates.stream()
            .filter(one -> isWithoutRelays(one) && one.evidence() == RateEvidence.BOUND)
            .map(one -> name(one) + atLeast(one) + beyond(one))
            .collect(Collectors.joining("; "));
    return untried.isEmpty() ? Optional.empty() : Optional.of("Untried: " + untried + ".");
  }

  private static String atLeast(Candidate one) {
    Double low = one.bitsPerSecondLow();
    return low == null ? "" : ", at least " + Quantities.rate(low);
  }

  private static String beyond(Candidate one) {
    return one.kind() == CandidateKind.DIRECT_BBR
            && one.hops().stream()
                .map(HopPrediction::lossRate)
                .allMatch(loss -> loss != null && loss <= BbrThroughput.V1.fullUntilLoss())
        ? ", near the path's capacity, since such losses do not slow BBR"
        : "";
  }

  /** Hops of the best cascade that are coded, and the reason. */
  Optional<String> codedHops() {
    if (cascade == null) {
      return Optional.empty();
    }
    String coded =
        cascade.hops().stream()
            .filter(hop -> hop.transport() == TransportChoice.CODED)
            .map(hop -> hop.from() + "–" + hop.to() + ", " + hop.transportWhy())
            .collect(Collectors.joining("; "));
    return coded.isEmpty() ? Optional.empty() : Optional.of("Coded hops: " + coded + ".");
  }

  /**
   * Whether a candidate counts as a rival; one without a known limit does not, since its prediction
   * says only that.
   */
  private static boolean isRival(Candidate one) {
    return isWithoutRelays(one) && one.hops().stream().allMatch(hop -> hop.bitsPerSecond() != null);
  }

  private static boolean isWithoutRelays(Candidate one) {
    return one.kind() == CandidateKind.PARALLEL_DIRECT || one.kind() == CandidateKind.DIRECT_BBR;
  }

  private static boolean isFaster(Candidate one, Candidate other) {
    Double seconds = one.seconds();
    Double otherSeconds = other.seconds();
    if (seconds != null && otherSeconds != null) {
      return seconds * PRACTICALLY_EQUAL < otherSeconds;
    }
    Double rate = one.bitsPerSecond();
    Double otherRate = other.bitsPerSecond();
    return rate != null && otherRate != null && rate > otherRate * PRACTICALLY_EQUAL;
  }

  private static String rival(Candidate one) {
    return name(one)
        + (one.seconds() == null ? "" : ", " + Quantities.seconds(one.seconds()))
        + (one.bitsPerSecond() == null ? "" : ", " + Quantities.rate(one.bitsPerSecond()));
  }

  private static String name(Candidate one) {
    return one.kind() == CandidateKind.DIRECT_BBR
        ? "direct with bbr"
        : "direct, " + one.connections() + " connections";
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
        : rate + " at a round trip of " + Quantities.millis(hop.rttMillis()) + " and " + loss(hop);
  }

  /**
   * A hop's loss in words: by the number of packets if none was lost, since the rate is then a
   * guess.
   */
  private static String loss(HopPrediction hop) {
    Long lost = hop.probesLost();
    Long sent = hop.probesSent();
    return lost != null && lost == 0 && sent != null && sent > 0
        ? "no loss in " + sent + " packets"
        : "a loss of " + Quantities.percent(hop.lossRate());
  }

  private static Optional<String> sentence(List<String> parts) {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    String words = String.join("; ", parts);
    return Optional.of(Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".");
  }
}
