package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Exclusion;
import io.cascade.api.orchestrator.FrontPoint;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.RelayValue;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.HopTransport;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.NodePath;
import io.cascade.model.planning.Prediction;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Writes the model's plan in the contract's form. Infinite and unknown values are left out. */
public final class PlanDocument {
  private final Topology network;
  private final BiPredicate<String, String> assumed;

  /**
   * @param network the planned network
   * @param assumed whether the link between two nodes was assumed instead of measured
   */
  public PlanDocument(Topology network, BiPredicate<String, String> assumed) {
    this.network = network;
    this.assumed = assumed;
  }

  /**
   * The document.
   *
   * @param destination destination as the request names it
   * @param notes further notes, each a sentence
   * @param evidenceAgeSeconds see the contract; null if nothing was measured
   */
  public Plan of(
      RouteAnswer plan,
      String destination,
      @Nullable Long bytes,
      List<String> notes,
      Instant plannedAt,
      @Nullable Double evidenceAgeSeconds) {
    Decision decision = Decision.valueOf(plan.decision().name());
    List<String> relays = plan.bestCascade().map(best -> best.route().relays()).orElse(null);
    List<Candidate> candidates =
        plan.candidates().stream()
            .map(candidate -> candidate(candidate, candidate.equals(plan.chosen())))
            .toList();
    Double wins =
        plan.probabilityCascadeWins().isPresent()
            ? (Double) plan.probabilityCascadeWins().getAsDouble()
            : null;
    PlanReasons reasons = new PlanReasons(candidates, relays);
    List<String> all = new ArrayList<>();
    PlanReasons.missing(plan.measureNext()).ifPresent(all::add);
    reasons.fasterRivals().ifPresent(all::add);
    reasons.untriedRivals().ifPresent(all::add);
    reasons.codedHops().ifPresent(all::add);
    all.addAll(notes);
    return Plan.builder()
        .destination(destination)
        .bytes(bytes)
        .decision(decision)
        .summary(new PlanSentence(decision, relays, candidates, wins).words())
        .relays(relays)
        .plannedAt(plannedAt)
        .candidates(candidates)
        .probabilityCascadeWins(wins)
        .relayValues(
            plan.relayValues().isEmpty()
                ? null
                : plan.relayValues().stream().map(PlanDocument::value).toList())
        .front(
            plan.front().isEmpty() ? null : plan.front().stream().map(PlanDocument::point).toList())
        .excluded(
            plan.excluded().isEmpty()
                ? null
                : plan.excluded().stream()
                    .map(one -> new Exclusion(one.relay(), one.reason()))
                    .toList())
        .why(reasons.why().orElse(null))
        .confidence(reasons.confidence(wins).orElse(null))
        .notes(all)
        .evidenceAgeSeconds(evidenceAgeSeconds)
        .build();
  }

  private Candidate candidate(io.cascade.model.planning.Candidate candidate, boolean chosen) {
    Optional<Prediction> prediction = candidate.prediction();
    Optional<Interval> seconds = prediction.flatMap(Prediction::transferSeconds);
    Optional<Interval> rate = prediction.map(Prediction::goodputBitsPerSecond);
    boolean limited =
        prediction
            .filter(known -> Double.isFinite(known.steadyBitsPerSecond().likely()))
            .isPresent();
    boolean parallel = candidate.kind() == io.cascade.model.planning.Candidate.Kind.PARALLEL_DIRECT;
    return Candidate.builder()
        .kind(CandidateKind.valueOf(candidate.kind().name()))
        .connections(parallel ? candidate.connections() : null)
        .relays(candidate.route().relays())
        .chosen(chosen)
        .secondsLow(seconds.map(value -> finite(value.low())).orElse(null))
        .seconds(seconds(prediction))
        .secondsHigh(seconds.filter(_ -> limited).map(value -> finite(value.high())).orElse(null))
        .bitsPerSecondLow(
            rate.filter(_ -> limited).map(Interval::low).filter(low -> low > 0).orElse(null))
        .bitsPerSecond(rate(prediction))
        .bitsPerSecondHigh(
            rate.map(Interval::high)
                .filter(high -> high <= TellingBounds.MOST_BITS_PER_SECOND)
                .orElse(null))
        .setupSeconds(prediction.map(value -> finite(value.setupSeconds())).orElse(null))
        .hops(prediction.map(value -> predicted(value)).orElseGet(() -> measured(candidate)))
        .basis(candidate.basis())
        .pricePerGib(prediction.map(PlanDocument::price).orElse(null))
        .relayBufferBytes(prediction.map(PlanDocument::buffers).orElse(null))
        .evidence(prediction.map(one -> RateEvidence.valueOf(one.evidence().name())).orElse(null))
        .build();
  }

  private static RelayValue value(io.cascade.model.planning.RelayValue value) {
    Optional<Prediction> prediction = value.best().prediction();
    return new RelayValue(
        value.relays(),
        value.best().route().relays(),
        seconds(prediction),
        rate(prediction),
        finite(value.gainOverOneFewer()));
  }

  private static FrontPoint point(io.cascade.model.planning.Candidate candidate) {
    Optional<Prediction> prediction = candidate.prediction();
    return new FrontPoint(
        CandidateKind.valueOf(candidate.kind().name()),
        candidate.route().relays(),
        seconds(prediction),
        rate(prediction),
        prediction.map(known -> known.price().perGibibyte()).orElse(0.0));
  }

  private static @Nullable Double seconds(Optional<Prediction> prediction) {
    return prediction
        .filter(Prediction::isEstimate)
        .flatMap(Prediction::transferSeconds)
        .map(value -> finite(value.likely()))
        .orElse(null);
  }

  private static @Nullable Double rate(Optional<Prediction> prediction) {
    return prediction
        .filter(Prediction::isEstimate)
        .map(known -> finite(known.goodputBitsPerSecond().likely()))
        .orElse(null);
  }

  /** The price; null if it is zero or infinite. */
  private static @Nullable Double price(Prediction prediction) {
    double perGib = prediction.price().perGibibyte();
    return perGib == 0 ? null : finite(perGib);
  }

  private static @Nullable List<Double> buffers(Prediction prediction) {
    List<Double> buffers = prediction.relayBufferBytes();
    return buffers.isEmpty() || buffers.stream().anyMatch(value -> !Double.isFinite(value))
        ? null
        : buffers;
  }

  private List<HopPrediction> predicted(Prediction prediction) {
    List<HopPrediction> hops = new ArrayList<>();
    for (int i = 0; i < prediction.hops().size(); i++) {
      io.cascade.model.planning.HopPrediction hop = prediction.hops().get(i);
      boolean nobodyMeasured = assumed.test(hop.from(), hop.to());
      Optional<LinkEstimate> link = network.link(hop.from(), hop.to());
      hops.add(
          HopPrediction.builder()
              .from(hop.from())
              .to(hop.to())
              .rttMillis(hop.rttSeconds() * 1e3)
              .probesSent(nobodyMeasured ? null : link.map(one -> one.loss().sent()).orElse(null))
              .probesLost(nobodyMeasured ? null : link.map(one -> one.loss().lost()).orElse(null))
              .lossRate(hop.lossProbability().likely())
              .capacityBitsPerSecond(link.map(PlanDocument::capacity).orElse(null))
              .congestionControl(control(hop.control()))
              .bitsPerSecond(
                  link.filter(one -> one.capacity().isUnseen()).isPresent()
                          || (i == prediction.bottleneck()
                              && prediction.hasLikelyRate()
                              && !prediction.isEstimate())
                      ? null
                      : finite(hop.bitsPerSecond().likely()))
              .bottleneck(i == prediction.bottleneck())
              .basis(
                  nobodyMeasured
                      ? "assumed, not measured: the source is at the site of the relay"
                      : hop.basis())
              .correction(link.map(one -> correction(one, hop.control())).orElse(null))
              .capacityKind(link.map(PlanDocument::capacityKind).orElse(null))
              .transport(hop.transport().map(PlanDocument::transport).orElse(null))
              .transportWhy(hop.transport().map(HopTransport::why).orElse(null))
              .usualCongestionControl(hop.isControlChanged() ? control(hop.usualControl()) : null)
              .build());
    }
    return hops;
  }

  /** The hops of a way that lacks a measurement, as far as they are known. */
  private List<HopPrediction> measured(io.cascade.model.planning.Candidate candidate) {
    List<HopPrediction> hops = new ArrayList<>();
    for (NodePath.Link at : candidate.route().links()) {
      Optional<LinkEstimate> link = network.link(at.from(), at.to());
      hops.add(
          HopPrediction.builder()
              .from(at.from())
              .to(at.to())
              .rttMillis(link.map(one -> one.rtt().toNanos() / 1e6).orElse(null))
              .probesSent(link.map(one -> one.loss().sent()).orElse(null))
              .probesLost(link.map(one -> one.loss().lost()).orElse(null))
              .lossRate(link.map(one -> one.loss().likely()).orElse(null))
              .capacityBitsPerSecond(link.map(PlanDocument::capacity).orElse(null))
              .congestionControl(control(candidate.congestionControl()))
              .basis(link.isPresent() ? "measured" : "not measured")
              .capacityKind(link.map(PlanDocument::capacityKind).orElse(null))
              .build());
    }
    return hops;
  }

  private static TransportChoice transport(HopTransport transport) {
    return transport.coded() ? TransportChoice.CODED : TransportChoice.TCP;
  }

  private static String control(CongestionControl control) {
    return control.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Double correction(LinkEstimate link, CongestionControl control) {
    double factor = link.learned(control).factor();
    return factor == 1 ? null : (Double) factor;
  }

  private static @Nullable Double capacity(LinkEstimate link) {
    return switch (link.capacity()) {
      case Capacity.Known(double rate, _) -> rate;
      case Capacity.AtLeast(double rate) when rate > 0 -> rate;
      case Capacity.AtLeast _, Capacity.Unlimited _ -> null;
    };
  }

  private static @Nullable CapacityKind capacityKind(LinkEstimate link) {
    return switch (link.capacity()) {
      case Capacity.Known _ -> CapacityKind.KNOWN;
      case Capacity.AtLeast(double rate) when rate > 0 -> CapacityKind.AT_LEAST;
      case Capacity.AtLeast _ -> CapacityKind.UNKNOWN;
      case Capacity.Unlimited _ -> null;
    };
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
