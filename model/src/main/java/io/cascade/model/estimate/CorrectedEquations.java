package io.cascade.model.estimate;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.CascadeTime;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.estimate.Estimate.Rival;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.tcp.SteadyRate;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Estimates with the project's own equations. */
final class CorrectedEquations {
  private static final int INITIAL_WINDOW = 10;

  private final EstimateRequest request;

  CorrectedEquations(EstimateRequest request) {
    this.request = request;
  }

  Estimate estimate() {
    PathInput path = request.directPath();
    WayEstimate direct = way(List.of(path), 1);
    Optional<WayEstimate> cascade = request.cascadeHops().map(hops -> way(controlled(hops), 1));
    return new Estimate(
        request,
        direct,
        cascade,
        rivals(path),
        cascade.flatMap(way -> Estimate.gain(request, direct, way)));
  }

  /** Gives each hop that begins at a relay the fastest of the relays' controls. */
  private List<PathInput> controlled(List<PathInput> hops) {
    List<PathInput> chosen = new ArrayList<>(hops);
    if (!request.relayControls().isEmpty()) {
      for (int i = 1; i < hops.size(); i++) {
        PathInput hop = hops.get(i);
        chosen.set(i, hop.model().isPresent() ? hop : quickest(hop));
      }
    }
    return chosen;
  }

  private PathInput quickest(PathInput hop) {
    return request.relayControls().stream()
        .map(hop::withModel)
        .max(Comparator.comparingDouble(this::likelyRate))
        .orElse(hop);
  }

  private double likelyRate(PathInput hop) {
    return chain(List.of(hop), 1, Interval::likely).steadyBitsPerSecond();
  }

  private List<Rival> rivals(PathInput path) {
    List<Rival> rivals = new ArrayList<>();
    rivals.add(
        new Rival(Rival.Kind.PARALLEL_DIRECT, way(List.of(path), request.parallelConnections())));
    if (!model(path).isBbr()) {
      rivals.add(
          new Rival(Rival.Kind.DIRECT_BBR, way(List.of(path.withModel(SenderModel.BBR)), 1)));
    }
    return rivals;
  }

  private WayEstimate way(List<PathInput> inputs, int connections) {
    Cascade likely = chain(inputs, connections, Interval::likely);
    Cascade low = chain(inputs, connections, Interval::low);
    Cascade high = chain(inputs, connections, Interval::high);
    List<HopEstimate> hops = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      hops.add(hop(inputs.get(i), connections, i, low, likely, high));
    }
    List<Double> buffers = new ArrayList<>();
    for (int relay = 0; relay < inputs.size() - 1; relay++) {
      buffers.add(likely.relayBufferBytes(relay));
    }
    Optional<TransferTime> time =
        request.bytes().isPresent()
            ? Optional.of(time(request.bytes().getAsLong(), connections, low, likely, high))
            : Optional.empty();
    return new WayEstimate(
        connections,
        hops,
        likely.bottleneck(),
        Interval.around(
            connections * likely.steadyBitsPerSecond(),
            connections * high.steadyBitsPerSecond(),
            connections * low.steadyBitsPerSecond()),
        time,
        buffers);
  }

  private static TransferTime time(
      long bytes, int connections, Cascade low, Cascade likely, Cascade high) {
    long each = Math.ceilDiv(bytes, connections);
    CascadeTime time = likely.deliver(each);
    Interval total =
        Interval.around(
            time.totalSeconds(),
            low.deliver(each).totalSeconds(),
            high.deliver(each).totalSeconds());
    double sending = time.totalSeconds() - time.setupSeconds() - time.drainSeconds();
    return new TransferTime(
        time.setupSeconds(),
        likely.slowStartSeconds(likely.bottleneck(), each),
        time.fillSeconds(),
        Double.isNaN(sending) ? Double.POSITIVE_INFINITY : sending,
        time.drainSeconds(),
        total,
        total.reciprocal(8.0 * bytes));
  }

  private HopEstimate hop(
      PathInput input, int connections, int index, Cascade low, Cascade likely, Cascade high) {
    Hop hop = likely.hops().get(index);
    SteadyRate rate = hop.steadyRate();
    double alone = hop.model().bitsPerSecond(conditions(hop));
    return new HopEstimate(
        input,
        model(input),
        hop.mssBytes(),
        connections * alone,
        connections * hop.payloadCapacityBitsPerSecond(),
        connections * window(hop),
        Interval.around(
            connections * rate.bitsPerSecond(),
            connections * high.hops().get(index).steadyRate().bitsPerSecond(),
            connections * low.hops().get(index).steadyRate().bitsPerSecond()),
        rate.limit(),
        request.bytes().isPresent()
            ? OptionalDouble.of(
                likely.slowStartSeconds(
                    index, Math.ceilDiv(request.bytes().getAsLong(), connections)))
            : OptionalDouble.empty(),
        basis(hop.model(), hop.lossProbability()));
  }

  private static PathConditions conditions(Hop hop) {
    return new PathConditions(
        hop.rttSeconds(),
        hop.lossProbability(),
        hop.mssBytes(),
        hop.payloadCapacityBitsPerSecond());
  }

  private static double window(Hop hop) {
    return hop.receiveWindowBytes().isPresent()
        ? 8.0 * hop.receiveWindowBytes().getAsLong() / hop.rttSeconds()
        : Double.POSITIVE_INFINITY;
  }

  static String basis(ThroughputModel model, double lossProbability) {
    return lossProbability <= model.validUpToLoss()
        ? model.basis()
        : String.format(
            Locale.ROOT,
            "%s, loss beyond the model's range of %.0f %%",
            model.basis(),
            100 * model.validUpToLoss());
  }

  private Cascade chain(List<PathInput> inputs, int connections, ToDoubleFunction<Interval> level) {
    List<Hop> hops = new ArrayList<>();
    for (PathInput input : inputs) {
      hops.add(
          new Hop(
              input.rttSeconds(),
              level.applyAsDouble(input.lossProbability()),
              input.capacityBitsPerSecond().isPresent()
                  ? OptionalDouble.of(input.capacityBitsPerSecond().getAsDouble() / connections)
                  : OptionalDouble.empty(),
              framing(input),
              model(input).throughput(request.parameters()),
              request.receiveWindowBytes()));
    }
    return new Cascade(
        hops,
        request.setup().orElse(SetupMode.WARM),
        request.forwarding().orElse(RelayDiscipline.CUT_THROUGH),
        0,
        INITIAL_WINDOW);
  }

  private SenderModel model(PathInput input) {
    return input.model().orElse(request.model());
  }

  private Framing framing(PathInput input) {
    Framing usual = request.framing();
    return input.mssBytes().isPresent()
        ? usual.withMtu(input.mssBytes().getAsInt() + usual.mtuBytes() - usual.mssBytes())
        : usual;
  }
}
