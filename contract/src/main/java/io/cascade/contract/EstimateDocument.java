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

/** Writes the model's estimate in the contract's form. Infinite and unknown values are left out. */
public final class EstimateDocument {
  private EstimateDocument() {}

  /** The document of an estimate. */
  public static Estimate of(io.cascade.model.estimate.Estimate estimate) {
    Optional<Interval> gain = estimate.gain();
    return Estimate.builder()
        .variant(EstimateVariant.valueOf(estimate.request().variant().name()))
        .model(SenderModel.valueOf(estimate.request().model().name()))
        .bytes(
            estimate.request().bytes().isPresent()
                ? (Long) estimate.request().bytes().getAsLong()
                : null)
        .direct(way(estimate.direct()))
        .cascade(estimate.cascade().map(EstimateDocument::way).orElse(null))
        .rivals(
            estimate.rivals().stream()
                .map(rival ->
                    new Rival(CandidateKind.valueOf(rival.kind().name()), way(rival.way())))
                .toList())
        .gainLow(gain.map(value -> finite(value.low())).orElse(null))
        .gain(gain.map(value -> finite(value.likely())).orElse(null))
        .gainHigh(gain.map(value -> finite(value.high())).orElse(null))
        .build();
  }

  private static EstimatedWay way(WayEstimate way) {
    Interval rate = way.bitsPerSecond();
    Optional<TransferTime> time = way.time();
    return EstimatedWay.builder()
        .connections(way.connections())
        .bitsPerSecondLow(finite(rate.low()))
        .bitsPerSecond(finite(rate.likely()))
        .bitsPerSecondHigh(finite(rate.high()))
        .utilisation(known(way.utilisation()))
        .limit(RateLimit.valueOf(way.bottleneckHop().limit().name()))
        .setupSeconds(time.map(value -> finite(value.setup())).orElse(null))
        .slowStartSeconds(time.map(value -> finite(value.slowStart())).orElse(null))
        .fillSeconds(time.map(value -> finite(value.fill())).orElse(null))
        .sendingSeconds(time.map(value -> finite(value.sending())).orElse(null))
        .drainSeconds(time.map(value -> finite(value.drain())).orElse(null))
        .secondsLow(time.map(value -> finite(value.total().low())).orElse(null))
        .seconds(time.map(value -> finite(value.total().likely())).orElse(null))
        .secondsHigh(time.map(value -> finite(value.total().high())).orElse(null))
        .goodputBitsPerSecond(
            time.map(value -> finite(value.goodputBitsPerSecond().likely())).orElse(null))
        .relayBufferBytes(
            way.relayBufferBytes().stream().allMatch(Double::isFinite)
                ? way.relayBufferBytes()
                : null)
        .hops(
            IntStream.range(0, way.hops().size())
                .mapToObj(i -> hop(way.hops().get(i), i == way.bottleneck()))
                .toList())
        .build();
  }

  private static EstimatedHop hop(HopEstimate hop, boolean bottleneck) {
    Interval loss = hop.input().lossProbability();
    return EstimatedHop.builder()
        .rttMillis(hop.input().rttSeconds() * 1e3)
        .lossRateLow(loss.low())
        .lossRate(loss.likely())
        .lossRateHigh(loss.high())
        .capacityBitsPerSecond(known(hop.input().capacityBitsPerSecond()))
        .mssBytes(hop.mssBytes())
        .model(SenderModel.valueOf(hop.model().name()))
        .modelBitsPerSecond(finite(hop.modelBitsPerSecond()))
        .payloadCapacityBitsPerSecond(finite(hop.capacityBitsPerSecond()))
        .windowBitsPerSecond(finite(hop.windowBitsPerSecond()))
        .bitsPerSecondLow(finite(hop.bitsPerSecond().low()))
        .bitsPerSecond(finite(hop.bitsPerSecond().likely()))
        .bitsPerSecondHigh(finite(hop.bitsPerSecond().high()))
        .limit(RateLimit.valueOf(hop.limit().name()))
        .bottleneck(bottleneck)
        .slowStartSeconds(known(hop.slowStartSeconds()))
        .basis(hop.basis())
        .build();
  }

  private static @Nullable Double known(OptionalDouble value) {
    return value.isPresent() ? finite(value.getAsDouble()) : null;
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
