package io.cascade.model.planning;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.CascadeTime;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.SteadyRate;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Predicts candidates with the full model.
 *
 * <p>A candidate's bounds take the loss of all its hops at their lower or all at their upper
 * bounds. The capacity of a cascade's hop that was never measured is taken to be the direct path's,
 * where that is known, and at the optimistic end as unlimited: a cascade must not win because
 * nobody measured what its links carry. Where the direct path's is unknown too, nothing is capped
 * on either side.
 */
final class Forecaster {

  private static final int INITIAL_WINDOW = 10;

  private final Topology topology;
  private final PlanRequest request;
  private final OptionalDouble directCapacity;

  Forecaster(Topology topology, PlanRequest request) {
    this.topology = topology;
    this.request = request;
    this.directCapacity =
        topology
            .link(request.source(), request.destination())
            .map(LinkEstimate::capacityBitsPerSecond)
            .orElse(OptionalDouble.empty());
  }

  /** The connection that would be made without relays. */
  Candidate direct() {
    return candidate(Candidate.Kind.DIRECT, directRoute(), request.directControl(), 1);
  }

  /** The ways to do better without relays. */
  List<Candidate> rivals() {
    List<Candidate> rivals = new ArrayList<>();
    rivals.add(
        candidate(
            Candidate.Kind.PARALLEL_DIRECT,
            directRoute(),
            request.directControl(),
            request.parallelConnections()));
    if (request.directControl() != CongestionControl.BBR) {
      rivals.add(candidate(Candidate.Kind.DIRECT_BBR, directRoute(), CongestionControl.BBR, 1));
    }
    return rivals;
  }

  /** A way through relays. */
  Candidate cascade(Route route) {
    return candidate(Candidate.Kind.CASCADE, route, request.hopControl(), 1);
  }

  /** The likely cost of a measured route through relays, without the work that bounds take. */
  double likelyCascadeCost(Route route) {
    Cascade cascade = chain(links(route), request.hopControl(), 1, false, LossLevel.LIKELY);
    return request.bytes().isPresent()
        ? cascade.deliver(request.bytes().getAsLong()).totalSeconds()
        : 1 / cascade.steadyBitsPerSecond();
  }

  /** The hop that a link makes in a cascade, at its likely loss. */
  Hop likelyHop(LinkEstimate link) {
    return withAssumedCapacity(
        hop(link, request.hopControl(), 1, request.hopReceiveWindowBytes(), LossLevel.LIKELY));
  }

  private Candidate candidate(
      Candidate.Kind kind, Route route, CongestionControl control, int connections) {
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < route.hops(); i++) {
      String from = route.nodes().get(i);
      String to = route.nodes().get(i + 1);
      if (topology.link(from, to).isEmpty()) {
        missing.add(from + "→" + to);
      }
    }
    if (!missing.isEmpty()) {
      String basis =
          route.isDirect()
              ? "direct path not measured"
              : "not measured: " + String.join(", ", missing);
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

  private Prediction predict(Route route, CongestionControl control, int connections) {
    List<LinkEstimate> links = links(route);
    boolean direct = route.isDirect();
    Cascade optimistic = chain(links, control, connections, direct, LossLevel.OPTIMISTIC);
    Cascade likely = chain(links, control, connections, direct, LossLevel.LIKELY);
    Cascade pessimistic = chain(links, control, connections, direct, LossLevel.PESSIMISTIC);

    Interval steady =
        Interval.around(
            connections * likely.steadyBitsPerSecond(),
            connections * pessimistic.steadyBitsPerSecond(),
            connections * optimistic.steadyBitsPerSecond());
    long each = Math.ceilDiv(request.bytes().orElse(1), connections);
    CascadeTime time = likely.deliver(each);
    Optional<Interval> seconds = Optional.empty();
    Interval goodput = steady;
    if (request.bytes().isPresent()) {
      Interval total =
          Interval.around(
              time.totalSeconds(),
              optimistic.deliver(each).totalSeconds(),
              pessimistic.deliver(each).totalSeconds());
      seconds = Optional.of(total);
      goodput = total.reciprocal(8.0 * request.bytes().getAsLong());
    }
    List<HopPrediction> hops = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      hops.add(
          hopPrediction(
              route.nodes().get(i),
              route.nodes().get(i + 1),
              links.get(i),
              direct,
              connections,
              optimistic.hops().get(i),
              likely.hops().get(i),
              pessimistic.hops().get(i)));
    }
    List<Double> buffers = new ArrayList<>();
    for (int relay = 0; relay < links.size() - 1; relay++) {
      buffers.add(likely.relayBufferBytes(relay));
    }
    return new Prediction(
        seconds,
        goodput,
        steady,
        time.setupSeconds(),
        time.setupSeconds() + time.fillSeconds(),
        hops,
        likely.bottleneck(),
        buffers);
  }

  private HopPrediction hopPrediction(
      String from,
      String to,
      LinkEstimate link,
      boolean direct,
      int connections,
      Hop optimistic,
      Hop likely,
      Hop pessimistic) {
    SteadyRate rate = likely.steadyRate();
    return new HopPrediction(
        from,
        to,
        likely.rttSeconds(),
        new Interval(
            optimistic.lossProbability(), likely.lossProbability(), pessimistic.lossProbability()),
        Interval.around(
            connections * rate.bitsPerSecond(),
            connections * pessimistic.steadyRate().bitsPerSecond(),
            connections * optimistic.steadyRate().bitsPerSecond()),
        rate.limit(),
        basis(link, direct, optimistic, likely, pessimistic));
  }

  private String basis(
      LinkEstimate link, boolean direct, Hop optimistic, Hop likely, Hop pessimistic) {
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
    if (link.capacityBitsPerSecond().isPresent()) {
      words.append("capacity ").append(Figures.rate(link.capacityBitsPerSecond().getAsDouble()));
    } else {
      words.append("capacity unknown: ").append(assumedCapacity(direct));
    }
    likely
        .receiveWindowBytes()
        .ifPresent(window -> words.append(", receive window ").append(window).append(" B"));
    return words.toString();
  }

  private String assumedCapacity(boolean direct) {
    return direct || directCapacity.isEmpty()
        ? "not capped"
        : "taken as the direct path's "
            + Figures.rate(directCapacity.getAsDouble())
            + ", at best not capped";
  }

  private Hop withAssumedCapacity(Hop hop) {
    return hop.capacityBitsPerSecond().isPresent() || directCapacity.isEmpty()
        ? hop
        : hop.withCapacity(new Rate(directCapacity.getAsDouble()));
  }

  private Cascade chain(
      List<LinkEstimate> links,
      CongestionControl control,
      int connections,
      boolean direct,
      LossLevel level) {
    OptionalLong window =
        direct ? request.directReceiveWindowBytes() : request.hopReceiveWindowBytes();
    List<Hop> hops = new ArrayList<>();
    for (LinkEstimate link : links) {
      Hop hop = hop(link, control, connections, window, level);
      hops.add(direct || level == LossLevel.OPTIMISTIC ? hop : withAssumedCapacity(hop));
    }
    return new Cascade(
        hops,
        request.setup(),
        RelayDiscipline.CUT_THROUGH,
        request.relayDelaySeconds(),
        INITIAL_WINDOW);
  }

  private Hop hop(
      LinkEstimate link,
      CongestionControl control,
      int connections,
      OptionalLong window,
      LossLevel level) {
    OptionalDouble capacity = link.capacityBitsPerSecond();
    return new Hop(
        link.rttSeconds(),
        level.of(link.loss(), request.confidence()),
        capacity.isPresent()
            ? OptionalDouble.of(capacity.getAsDouble() / connections)
            : OptionalDouble.empty(),
        request.framing(),
        control.model(),
        window);
  }

  private List<LinkEstimate> links(Route route) {
    List<LinkEstimate> links = new ArrayList<>();
    for (int i = 0; i < route.hops(); i++) {
      links.add(topology.link(route.nodes().get(i), route.nodes().get(i + 1)).orElseThrow());
    }
    return links;
  }

  private Route directRoute() {
    return new Route(List.of(request.source(), request.destination()));
  }
}
