package io.cascade.model.estimate;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * Estimates with {@link AsPublished}: rates by equation 4, times by 5, 6, 7 and 1, without any cap.
 */
final class PublishedEquations {
  private final EstimateRequest request;
  private final AsPublished published;

  PublishedEquations(EstimateRequest request) {
    this.request = request;
    this.published =
        new AsPublished(
            request.parameters().constant().isPresent()
                ? request.parameters().constant().getAsDouble()
                : MathisThroughput.periodicLoss(request.parameters().packetsPerAck()).constant(),
            request
                .forwarding()
                .map(forwarding ->
                    forwarding instanceof RelayDiscipline.CutThrough(double windows)
                        ? windows
                        : AsPublished.DEFAULTS.startWindows())
                .orElse(AsPublished.DEFAULTS.startWindows()));
  }

  Estimate estimate() {
    PathInput path = request.directPath();
    WayEstimate direct = way(List.of(path));
    Optional<WayEstimate> cascade = cascadeHops().map(this::way);
    return new Estimate(
        request,
        direct,
        cascade,
        List.of(),
        cascade.flatMap(way -> Estimate.gain(request, direct, way)));
  }

  /** The published p/R, not the exact root. */
  private Optional<List<PathInput>> cascadeHops() {
    if (request.cut().isEmpty() || request.cut().get().loss() == LossDivision.UNCHANGED) {
      return request.cascadeHops();
    }
    int hops = request.cut().get().relays() + 1;
    PathInput path = request.directPath();
    Interval loss = path.lossProbability();
    PathInput hop =
        new PathInput(
            path.rttSeconds() / hops,
            Interval.around(loss.likely() / hops, loss.low() / hops, loss.high() / hops),
            path.capacityBitsPerSecond(),
            path.model(),
            path.mssBytes());
    return Optional.of(Collections.nCopies(hops, hop));
  }

  private WayEstimate way(List<PathInput> inputs) {
    List<HopEstimate> hops = inputs.stream().map(this::hop).toList();
    int slowest = 0;
    for (int i = 1; i < hops.size(); i++) {
      if (hops.get(i).bitsPerSecond().likely() < hops.get(slowest).bitsPerSecond().likely()) {
        slowest = i;
      }
    }
    Interval rate =
        Interval.around(
            least(hops, Interval::likely), least(hops, Interval::low), least(hops, Interval::high));
    return new WayEstimate(1, hops, slowest, rate, time(inputs), List.of());
  }

  private static double least(List<HopEstimate> hops, ToDoubleFunction<Interval> level) {
    return hops.stream()
        .mapToDouble(hop -> level.applyAsDouble(hop.bitsPerSecond()))
        .min()
        .orElseThrow();
  }

  private HopEstimate hop(PathInput input) {
    MathisThroughput mathis = new MathisThroughput(published.constant());
    Interval loss = input.lossProbability();
    double likely = rate(mathis, input, loss.likely());
    return new HopEstimate(
        input,
        SenderModel.MATHIS,
        mss(input),
        likely,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Interval.around(likely, rate(mathis, input, loss.high()), rate(mathis, input, loss.low())),
        Double.isInfinite(likely) ? RateLimit.NOTHING_KNOWN : RateLimit.CONGESTION_CONTROL,
        OptionalDouble.empty(),
        "as published, eq. 4, " + CorrectedEquations.basis(mathis, loss.likely()) + ", no caps");
  }

  private double rate(MathisThroughput mathis, PathInput input, double lossProbability) {
    return mathis.bitsPerSecond(
        PathConditions.uncapped(input.rttSeconds(), lossProbability, mss(input)));
  }

  private Optional<TransferTime> time(List<PathInput> inputs) {
    if (request.bytes().isEmpty()) {
      return Optional.empty();
    }
    long bytes = request.bytes().getAsLong();
    double rttSum = inputs.stream().mapToDouble(PathInput::rttSeconds).sum();
    boolean direct = inputs.size() == 1;
    double setup = direct ? 0 : published.setupSeconds(rttSum);
    Interval total =
        Interval.around(
            seconds(inputs, bytes, Interval::likely),
            seconds(inputs, bytes, Interval::low),
            seconds(inputs, bytes, Interval::high));
    return Optional.of(
        new TransferTime(
            setup,
            0,
            direct ? 0 : published.startWindows() * rttSum,
            total.likely() - setup,
            0,
            total,
            total.reciprocal(8.0 * bytes)));
  }

  private double seconds(List<PathInput> inputs, long bytes, ToDoubleFunction<Interval> level) {
    List<Hop> hops = new ArrayList<>();
    for (PathInput input : inputs) {
      hops.add(
          new Hop(
              input.rttSeconds(),
              level.applyAsDouble(input.lossProbability()),
              OptionalDouble.empty(),
              request.framing().withMtu(mss(input) + headers()),
              new MathisThroughput(published.constant()),
              OptionalLong.empty()));
    }
    return hops.size() == 1
        ? published.longHaulSeconds(hops.getFirst(), bytes)
        : published.cascadedSeconds(hops, bytes);
  }

  private int headers() {
    return request.framing().mtuBytes() - request.framing().mssBytes();
  }

  private int mss(PathInput input) {
    return input.mssBytes().orElse(request.framing().mssBytes());
  }
}
