package io.cascade.contract;

import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Estimate;
import io.cascade.api.orchestrator.EstimateVariant;
import io.cascade.api.orchestrator.EstimatedHop;
import io.cascade.api.orchestrator.EstimatedWay;
import io.cascade.api.orchestrator.RateLimit;
import io.cascade.api.orchestrator.Rival;
import io.cascade.api.orchestrator.SenderModel;
import io.cascade.model.estimate.HopEstimate;
import io.cascade.model.estimate.TransferTime;
import io.cascade.model.estimate.WayEstimate;
import io.cascade.model.uncertainty.Interval;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the model's estimate as the contract has it. What is infinite or unknown is left out. */
public final class EstimateDocument {
  private EstimateDocument() {}

  /** The document of an estimate. */
  public static Estimate of(io.cascade.model.estimate.Estimate estimate) {
    Optional<Interval> gain = estimate.gain();
    return new Estimate(
        EstimateVariant.valueOf(estimate.request().variant().name()),
        SenderModel.valueOf(estimate.request().model().name()),
        estimate.request().bytes().isPresent()
            ? (Long) estimate.request().bytes().getAsLong()
            : null,
        way(estimate.direct()),
        estimate.cascade().map(EstimateDocument::way).orElse(null),
        estimate.rivals().stream()
            .map(rival -> new Rival(CandidateKind.valueOf(rival.kind().name()), way(rival.way())))
            .toList(),
        gain.map(value -> finite(value.low())).orElse(null),
        gain.map(value -> finite(value.likely())).orElse(null),
        gain.map(value -> finite(value.high())).orElse(null));
  }

  private static EstimatedWay way(WayEstimate way) {
    Interval rate = way.bitsPerSecond();
    Optional<TransferTime> time = way.time();
    return new EstimatedWay(
        way.connections(),
        finite(rate.low()),
        finite(rate.likely()),
        finite(rate.high()),
        known(way.utilisation()),
        RateLimit.valueOf(way.bottleneckHop().limit().name()),
        time.map(value -> finite(value.setup())).orElse(null),
        time.map(value -> finite(value.slowStart())).orElse(null),
        time.map(value -> finite(value.fill())).orElse(null),
        time.map(value -> finite(value.sending())).orElse(null),
        time.map(value -> finite(value.drain())).orElse(null),
        time.map(value -> finite(value.total().low())).orElse(null),
        time.map(value -> finite(value.total().likely())).orElse(null),
        time.map(value -> finite(value.total().high())).orElse(null),
        time.map(value -> finite(value.goodputBitsPerSecond().likely())).orElse(null),
        way.relayBufferBytes().stream().allMatch(Double::isFinite) ? way.relayBufferBytes() : null,
        IntStream.range(0, way.hops().size())
            .mapToObj(i -> hop(way.hops().get(i), i == way.bottleneck()))
            .toList());
  }

  private static EstimatedHop hop(HopEstimate hop, boolean bottleneck) {
    Interval loss = hop.input().lossProbability();
    return new EstimatedHop(
        hop.input().rttSeconds() * 1e3,
        loss.low(),
        loss.likely(),
        loss.high(),
        known(hop.input().capacityBitsPerSecond()),
        hop.mssBytes(),
        SenderModel.valueOf(hop.model().name()),
        finite(hop.modelBitsPerSecond()),
        finite(hop.capacityBitsPerSecond()),
        finite(hop.windowBitsPerSecond()),
        finite(hop.bitsPerSecond().low()),
        finite(hop.bitsPerSecond().likely()),
        finite(hop.bitsPerSecond().high()),
        RateLimit.valueOf(hop.limit().name()),
        bottleneck,
        known(hop.slowStartSeconds()),
        hop.basis());
  }

  private static @Nullable Double known(OptionalDouble value) {
    return value.isPresent() ? finite(value.getAsDouble()) : null;
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
