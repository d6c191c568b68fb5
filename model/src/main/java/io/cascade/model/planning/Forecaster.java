package io.cascade.model.planning;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.CascadeTime;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.planning.Prediction.Evidence;
import io.cascade.model.planning.Prediction.Knowledge;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.RateLimit;
import io.cascade.model.tcp.SteadyRate;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.Normal;
import io.cascade.model.uncertainty.Slowest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Predicts candidates with the full model.
 *
 * <p>A candidate's bounds take the loss of all its hops at their lower or all at their upper
 * bounds, and add an independent error s: the {@linkplain ModelScatter scatter} of the model of its
 * slowest hop, and if that is limited by a measured capacity the capacity's {@linkplain
 * Capacity.Known#deviation deviation}:
 *
 * <pre>
 * ln(rate/low) = √( ln²(rate/rate at upper losses) + (z·s)² )      z of the request's confidence
 * </pre>
 *
 * <p>If no rate was ever observed on one of its links, the slow bound is a rate of 0.
 */
final class Forecaster {

  /** Initial window in packets, RFC 6928. */
  static final int INITIAL_WINDOW = 10;

  private final Topology topology;
  private final RouteQuestion request;
  private final MeasuredHops measured;
  private final double deviations;

  Forecaster(Topology topology, RouteQuestion request) {
    this.topology = topology;
    this.request = request;
    this.measured = new MeasuredHops(topology, request);
    this.deviations = Normal.quantile(request.confidence());
  }

  MeasuredHops measured() {
    return measured;
  }

  /** The connection that would be made without relays. */
  Candidate direct() {
    return candidate(Candidate.Kind.DIRECT, directRoute(), request.directControl(), 1);
  }

  /** Alternatives to the direct connection without relays. */
  List<Candidate> rivals() {
    List<Candidate> rivals = new ArrayList<>();
    rivals.add(
        candidate(
            Candidate.Kind.PARALLEL_DIRECT,
            directRoute(),
            request.directControl(),
            RouteQuestion.PARALLEL_CONNECTIONS));
    if (request.directControl() != CongestionControl.BBR) {
      rivals.add(candidate(Candidate.Kind.DIRECT_BBR, directRoute(), CongestionControl.BBR, 1));
    }
    return rivals;
  }

  /** A way through relays. */
  Candidate cascade(NodePath route) {
    return candidate(Candidate.Kind.CASCADE, route, request.hopControl(), 1);
  }

  /** The likely cost of a measured route through relays, without the computation of bounds. */
  double likelyCascadeCost(NodePath route) {
    return cost(chain(route, request.hopControl(), 1, LossLevel.LIKELY));
  }

  /** Likely cost of a measured way and its bounds, without the rest of a prediction. */
  Interval cost(NodePath route, CongestionControl control) {
    Cascade likely = chain(route, control, 1, LossLevel.LIKELY);
    boolean ceiling = knowledge(route, likely) == Knowledge.CEILING;
    return Interval.around(
            cost(likely),
            cost(chain(route, control, 1, LossLevel.OPTIMISTIC)),
            ceiling
                ? Double.POSITIVE_INFINITY
                : cost(chain(route, control, 1, LossLevel.PESSIMISTIC)))
        .scattered(deviations * scatter(route, control, likely));
  }

  /** The standard deviation of ln(measured/predicted) of a measured way. */
  double scatter(NodePath route, CongestionControl control) {
    return scatter(route, control, chain(route, control, 1, LossLevel.LIKELY));
  }

  private double scatter(NodePath route, CongestionControl control, Cascade likely) {
    return scatter(route, control, likely, likely.bottleneck());
  }

  private double scatter(NodePath route, CongestionControl control, Cascade likely, int index) {
    NodePath.Link at = route.links().get(index);
    String from = at.from();
    LinkEstimate link = estimate(at);
    CongestionControl sent = route.isDirect() ? control : measured.control(from, at.to(), link);
    Hop hop = likely.hops().get(index);
    double model =
        measured.isFilled(link, sent)
            ? ModelScatter.FILLED
            : ModelScatter.of(
                sent,
                hop,
                !route.isDirect() && sent != request.hopControl(from),
                link.learned(sent).evidence());
    return isByCapacity(hop) ? Math.hypot(model, link.capacity().deviation()) : model;
  }

  /** See {@link Prediction#overestimate}, for a measured way through relays. */
  double overestimate(NodePath route) {
    return overestimate(
        route,
        request.hopControl(),
        chain(route, request.hopControl(), 1, LossLevel.LIKELY),
        chain(route, request.hopControl(), 1, LossLevel.PESSIMISTIC));
  }

  /**
   * Factor by which a way is slower on average than its hops' likely rates: the slowest hop is the
   * one that was overestimated, if any was.
   */
  private double overestimate(
      NodePath route, CongestionControl control, Cascade likely, Cascade pessimistic) {
    Slowest slowest = new Slowest();
    for (int i = 0; i < likely.hops().size(); i++) {
      double rate = likely.hops().get(i).steadyRate().bitsPerSecond();
      double low = pessimistic.hops().get(i).steadyRate().bitsPerSecond();
      if (rate > 0 && low > 0) {
        double losses = Math.log(rate / low) / deviations;
        slowest.add(rate, Math.hypot(losses, scatter(route, control, likely, i)));
      }
    }
    return slowest.overestimate();
  }

  /**
   * Whether capacity sets the rate: a sender whose window does not depend on losses aims at the
   * capacity itself.
   */
  private static boolean isByCapacity(Hop hop) {
    return hop.steadyRate().limit() == RateLimit.CAPACITY
        || hop.model().windowKeptAtLoss().isEmpty();
  }

  private Knowledge knowledge(NodePath route, Cascade likely) {
    if (route.links().stream().anyMatch(link -> estimate(link).capacity().isUnseen())) {
      return Knowledge.CEILING;
    }
    int slowest = likely.bottleneck();
    Hop hop = likely.hops().get(slowest);
    boolean seen =
        isByCapacity(hop)
            && estimate(route.links().get(slowest)).capacity() instanceof Capacity.AtLeast;
    return seen ? Knowledge.AT_LEAST : Knowledge.BOUNDED;
  }

  private Evidence evidence(
      NodePath route,
      CongestionControl control,
      int connections,
      Cascade likely,
      Knowledge knowledge) {
    int slowest = likely.bottleneck();
    NodePath.Link at = route.links().get(slowest);
    LinkEstimate link = estimate(at);
    CongestionControl sent =
        route.isDirect() ? control : measured.control(at.from(), at.to(), link);
    CongestionControl usual =
        route.isDirect() ? request.directControl() : request.hopControl(at.from());
    boolean tried = connections == 1 && link.isTried(sent);
    boolean limited = Double.isFinite(likely.steadyBitsPerSecond());
    // An observed rate is one of the usual control, if that reacts to losses.
    boolean seenOtherwise =
        !tried
            && (connections > 1
                || sent != usual
                || likely.hops().get(slowest).model().windowKeptAtLoss().isEmpty());
    return switch (knowledge) {
      case CEILING -> Evidence.BOUND;
      case AT_LEAST -> seenOtherwise ? Evidence.BOUND : Evidence.MEASURED;
      case BOUNDED -> !limited ? Evidence.BOUND : tried ? Evidence.MEASURED : Evidence.PREDICTED;
    };
  }

  private LinkEstimate estimate(NodePath.Link link) {
    return topology.link(link.from(), link.to()).orElseThrow();
  }

  private double cost(Cascade cascade) {
    return request.bytes().isPresent()
        ? cascade.deliver(request.bytes().getAsLong()).totalSeconds()
        : 1 / cascade.steadyBitsPerSecond();
  }

  /** Returns the price of a way with a given cost in time, as in {@link Prediction#cost}. */
  Price price(NodePath route, double cost) {
    double traffic = 0;
    double hourly = 0;
    for (NodePath.Link link : route.links()) {
      traffic += topology.pricePerGibibyte(link.from(), link.to());
    }
    for (String relay : route.relays()) {
      hourly += topology.relayTerms(relay).pricePerHour();
    }
    if (request.bytes().isPresent()) {
      return Price.ofTransfer(traffic, hourly, (double) request.bytes().getAsLong(), cost);
    }
    return Price.ofStream(traffic, hourly, request.limits().leastBitsPerSecond().orElse(1 / cost));
  }

  private Candidate candidate(
      Candidate.Kind kind, NodePath route, CongestionControl control, int connections) {
    if (route.isDirect() && !request.directPathExists()) {
      return new Candidate(
          kind, route, control, connections, Optional.empty(), "there is no direct path");
    }
    List<String> missing = new ArrayList<>();
    List<String> full = new ArrayList<>();
    for (NodePath.Link link : route.links()) {
      if (topology.link(link.from(), link.to()).isEmpty()) {
        missing.add(link.toString());
      } else if (measured.free(link.from(), link.to()).orElse(1) == 0) {
        full.add(link.toString());
      }
    }
    if (!missing.isEmpty()) {
      String basis =
          route.isDirect()
              ? "direct path not measured"
              : "not measured: " + String.join(", ", missing);
      return new Candidate(kind, route, control, connections, Optional.empty(), basis);
    }
    if (!full.isEmpty()) {
      String basis = "nothing is free on " + String.join(", ", full);
      return new Candidate(kind, route, control, connections, Optional.empty(), basis);
    }
    return new Candidate(
        kind,
        route,
        control,
        connections,
        Optional.of(predict(route, control, connections)),
        control.model().basis());
  }

  private Prediction predict(NodePath route, CongestionControl control, int connections) {
    Cascade optimistic = chain(route, control, connections, LossLevel.OPTIMISTIC);
    Cascade likely = chain(route, control, connections, LossLevel.LIKELY);
    Cascade pessimistic = chain(route, control, connections, LossLevel.PESSIMISTIC);

    Knowledge knowledge = knowledge(route, likely);
    boolean ceiling = knowledge == Knowledge.CEILING;
    double reach = deviations * scatter(route, control, likely);
    Interval steady =
        Interval.around(
                connections * likely.steadyBitsPerSecond(),
                ceiling ? 0 : connections * pessimistic.steadyBitsPerSecond(),
                connections * optimistic.steadyBitsPerSecond())
            .scattered(reach);
    long each = Math.ceilDiv(request.bytes().orElse(1), connections);
    CascadeTime time = likely.deliver(each);
    Optional<Interval> seconds = Optional.empty();
    Interval goodput = steady;
    if (request.bytes().isPresent()) {
      Interval total =
          Interval.around(
                  time.totalSeconds(),
                  optimistic.deliver(each).totalSeconds(),
                  ceiling ? Double.POSITIVE_INFINITY : pessimistic.deliver(each).totalSeconds())
              .scattered(reach);
      seconds = Optional.of(total);
      goodput = total.reciprocal(8.0 * request.bytes().getAsLong());
    }
    List<HopPrediction> hops = new ArrayList<>();
    List<NodePath.Link> links = route.links();
    for (int i = 0; i < links.size(); i++) {
      hops.add(
          hopPrediction(
              links.get(i).from(),
              links.get(i).to(),
              control,
              route.isDirect(),
              connections,
              optimistic.hops().get(i),
              likely.hops().get(i),
              pessimistic.hops().get(i)));
    }
    List<Double> buffers = new ArrayList<>();
    for (int relay = 0; relay < route.hops() - 1; relay++) {
      buffers.add(likely.relayBufferBytes(relay));
    }
    return new Prediction(
        knowledge,
        evidence(route, control, connections, likely, knowledge),
        route.isDirect() ? 1 : overestimate(route, control, likely, pessimistic),
        seconds,
        goodput,
        steady,
        time.setupSeconds(),
        time.setupSeconds() + time.fillSeconds(),
        hops,
        likely.bottleneck(),
        buffers,
        price(route, seconds.orElseGet(() -> steady.reciprocal(1)).likely()));
  }

  private HopPrediction hopPrediction(
      String from,
      String to,
      CongestionControl directControl,
      boolean direct,
      int connections,
      Hop optimistic,
      Hop likely,
      Hop pessimistic) {
    SteadyRate rate = likely.steadyRate();
    LinkEstimate link = topology.link(from, to).orElseThrow();
    return new HopPrediction(
        from,
        to,
        direct ? directControl : measured.control(from, to, link),
        direct ? directControl : request.hopControl(from),
        direct ? directControl : measured.testControl(from, to, link),
        likely.rttSeconds(),
        new Interval(
            optimistic.lossProbability(), likely.lossProbability(), pessimistic.lossProbability()),
        Interval.around(
            connections * rate.bitsPerSecond(),
            connections * pessimistic.steadyRate().bitsPerSecond(),
            connections * optimistic.steadyRate().bitsPerSecond()),
        connections * likely.withReceiveWindow(OptionalLong.empty()).steadyRate().bitsPerSecond(),
        rate.limit(),
        basis(from, to, direct, optimistic, likely, pessimistic),
        direct ? Optional.empty() : measured.transport(from, to, link));
  }

  private String basis(
      String from, String to, boolean direct, Hop optimistic, Hop likely, Hop pessimistic) {
    LinkEstimate link = topology.link(from, to).orElseThrow();
    ThroughputModel model = likely.model();
    StringBuilder words = new StringBuilder(model.basis());
    words
        .append(", loss ")
        .append(link.loss().lost())
        .append(" of ")
        .append(link.loss().sent())
        .append(" (")
        .append(Figures.percent(optimistic.lossProbability()))
        .append("–")
        .append(Figures.percent(pessimistic.lossProbability()))
        .append(")");
    if (likely.lossProbability() > model.validUpToLoss()) {
      words.append(", beyond the model's range of ").append(Figures.percent(model.validUpToLoss()));
    }
    words.append(", rtt ").append(Figures.seconds(likely.rttSeconds())).append(" measured, ");
    words.append(
        switch (link.capacity()) {
          case Capacity.Known(double rate, _) -> "capacity " + Figures.rate(rate);
          case Capacity.AtLeast(double rate) when rate > 0 ->
              "capacity at least " + Figures.rate(rate);
          case Capacity.AtLeast _ -> "no rate was seen yet";
          case Capacity.Unlimited _ -> "capacity unknown: " + assumedCapacity(direct);
        });
    OptionalDouble free = measured.free(from, to);
    if (free.isPresent()) {
      words.append(", ").append(Figures.rate(free.getAsDouble())).append(" of it free");
    }
    if (link.bufferBytes().isPresent() && likely.steadyRate().limit() == RateLimit.RECEIVE_WINDOW) {
      words.append(", socket buffers ").append(link.bufferBytes().getAsLong()).append(" B");
    }
    return words.toString();
  }

  private String assumedCapacity(boolean direct) {
    OptionalDouble directCapacity = measured.directCapacity();
    return direct || directCapacity.isEmpty()
        ? "not capped"
        : "taken as the direct path's "
            + Figures.rate(directCapacity.getAsDouble())
            + ", at best not capped";
  }

  /** A way as a chain of hops, all at the same level of loss. */
  Cascade chain(NodePath route, CongestionControl control, int connections, LossLevel level) {
    List<Hop> hops = new ArrayList<>();
    for (NodePath.Link at : route.links()) {
      LinkEstimate link = estimate(at);
      hops.add(
          route.isDirect()
              ? measured.direct(link, control, connections, level)
              : measured.ofCascade(at.from(), at.to(), link, level));
    }
    return new Cascade(
        hops,
        request.setup(),
        RelayDiscipline.CUT_THROUGH,
        request.relayDelaySeconds(),
        INITIAL_WINDOW);
  }

  private NodePath directRoute() {
    return new NodePath(List.of(request.source(), request.destination()));
  }
}
