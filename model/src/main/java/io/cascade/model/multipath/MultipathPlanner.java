package io.cascade.model.multipath;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SlowStart;
import io.cascade.model.multipath.CapacityGraph.Edge;
import io.cascade.model.multipath.CapacityGraph.Flow;
import io.cascade.model.multipath.MultipathPlan.Share;
import io.cascade.model.multipath.MultipathPlan.SharedHop;
import io.cascade.model.planning.MeasuredHops;
import io.cascade.model.planning.NodePath;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Finds several routes that together deliver the data sooner than any single one.
 *
 * <p><b>What a link carries.</b> One connection's rate by the model, for a transfer its mean, and
 * never more than the free capacity of the link: routes that share a link share that, since several
 * connections over one link are parallel connections and not a gain of further routes. A relay
 * forwards at most its free capacity, for all routes together. The direct path may be one of the
 * routes.
 *
 * <p><b>Which routes.</b> The best few of the {@linkplain QuickestFlow quickest flow}, or the
 * {@linkplain QuickestPaths quickest paths one after the other}, whichever is sooner. Exact when as
 * many routes are allowed as that flow has, otherwise good: to divide a flow over at most k paths
 * is NP-hard (Baier, Köhler and Skutella, "The k-splittable flow problem", Algorithmica 42, 2005).
 *
 * <p><b>How much over each.</b> {@linkplain WaterFilling So that all end at the same time}, with
 * each route's latency taken from the full model at its own share, which includes set-up and slow
 * start, unlike the bound.
 */
public final class MultipathPlanner {

  private static final int INITIAL_WINDOW = 10;

  /**
   * Rounds of iteration: shares and slow starts depend on each other, and converge within a few
   * rounds.
   */
  private static final int ROUNDS = 12;

  private static final double SETTLED = 1e-4;

  /**
   * The best division over at most {@code paths} routes.
   *
   * @return empty if fewer than two routes help, or nothing known limits one of them
   */
  public Optional<MultipathPlan> plan(Topology topology, RouteQuestion request, int paths) {
    Require.atLeast("paths", paths, 1);
    Network network = new Network(topology, request);
    double bits =
        request.bytes().isPresent() ? 8.0 * request.bytes().getAsLong() : Double.POSITIVE_INFINITY;
    int mostEdges = request.maxRelays() + 1;
    CapacityGraph graph = network.graph();
    List<Flow> flow = QuickestFlow.of(graph, bits);
    if (flow.stream().anyMatch(path -> path.bitsPerSecond() >= network.unlimited)) {
      return Optional.empty();
    }
    List<Flow> bestOfFlow =
        flow.stream()
            .filter(path -> path.edges().size() <= mostEdges)
            .sorted(Comparator.comparingDouble(path -> -contribution(path, bits)))
            .limit(paths)
            .toList();
    List<Flow> oneByOne = QuickestPaths.of(graph, bits, paths, mostEdges);
    return better(divided(network, bestOfFlow), divided(network, oneByOne))
        .filter(plan -> plan.shares().size() > 1);
  }

  /** Value of a path beside others: its rate less the effect of its delay. */
  private static double contribution(Flow path, double bits) {
    return Double.isInfinite(bits)
        ? path.bitsPerSecond()
        : bits / (path.delaySeconds() + bits / path.bitsPerSecond());
  }

  private static Optional<MultipathPlan> better(
      Optional<MultipathPlan> one, Optional<MultipathPlan> other) {
    return one.isPresent() && other.isPresent()
        ? Optional.of(
            other.get().bitsPerSecond() > one.get().bitsPerSecond() ? other.get() : one.get())
        : one.or(() -> other);
  }

  private static Optional<MultipathPlan> divided(Network network, List<Flow> flows) {
    if (flows.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        network.request.bytes().isPresent()
            ? transfer(network, flows, network.request.bytes().getAsLong())
            : stream(network, flows));
  }

  private static MultipathPlan stream(Network network, List<Flow> flows) {
    Map<Integer, Integer> uses = uses(flows);
    List<Share> shares = new ArrayList<>();
    double rate = 0;
    for (Flow flow : flows) {
      Cascade chain = network.chain(flow, uses);
      double latency = chain.deliver(1).totalSeconds();
      shares.add(network.share(flow, latency, 0, uses));
      rate += flow.bitsPerSecond();
    }
    return new MultipathPlan(sorted(shares), OptionalDouble.empty(), rate);
  }

  private static MultipathPlan transfer(Network network, List<Flow> flows, long bytes) {
    Map<Integer, Integer> chosen = uses(flows);
    List<Cascade> chains = flows.stream().map(flow -> network.chain(flow, chosen)).toList();
    double[] latency = flows.stream().mapToDouble(Flow::delaySeconds).toArray();
    WaterFilling filling = fill(flows, latency, bytes);
    double[] seconds = new double[latency.length];
    for (int round = 0; round < ROUNDS; round++) {
      double latest = 0;
      double earliest = Double.POSITIVE_INFINITY;
      for (int i = 0; i < latency.length; i++) {
        double share = filling.bits().get(i);
        if (share > 0) {
          seconds[i] = chains.get(i).deliver(Math.max(1, Math.round(share / 8))).totalSeconds();
          latency[i] = seconds[i] - share / flows.get(i).bitsPerSecond();
          latest = Math.max(latest, seconds[i]);
          earliest = Math.min(earliest, seconds[i]);
        }
      }
      if (latest - earliest <= SETTLED * latest) {
        break;
      }
      filling = fill(flows, latency, bytes);
    }
    List<Flow> used = new ArrayList<>();
    for (int i = 0; i < latency.length; i++) {
      if (filling.bits().get(i) > 0) {
        used.add(flows.get(i));
      }
    }
    Map<Integer, Integer> uses = uses(used);
    List<Share> shares = new ArrayList<>();
    double last = 0;
    for (int i = 0; i < latency.length; i++) {
      long part = Math.round(filling.bits().get(i) / 8);
      if (part > 0) {
        shares.add(network.share(flows.get(i), latency[i], part, uses));
        last = Math.max(last, chains.get(i).deliver(part).totalSeconds());
      }
    }
    return new MultipathPlan(
        exact(sorted(shares), bytes), OptionalDouble.of(last), 8 * bytes / last);
  }

  /** Corrects rounding, so that no byte is lost or added: the largest share gets the difference. */
  private static List<Share> exact(List<Share> shares, long bytes) {
    long sum = shares.stream().mapToLong(Share::bytes).sum();
    Share first = shares.getFirst();
    List<Share> exact = new ArrayList<>(shares);
    exact.set(
        0,
        new Share(
            first.route(),
            first.control(),
            first.bitsPerSecond(),
            first.latencySeconds(),
            first.bytes() + bytes - sum,
            first.bottleneck(),
            first.hops()));
    return exact;
  }

  private static WaterFilling fill(List<Flow> flows, double[] latency, long bytes) {
    List<WaterFilling.Path> paths = new ArrayList<>();
    for (int i = 0; i < latency.length; i++) {
      paths.add(new WaterFilling.Path(flows.get(i).bitsPerSecond(), latency[i]));
    }
    return WaterFilling.of(bytes, paths);
  }

  private static List<Share> sorted(List<Share> shares) {
    return shares.stream()
        .sorted(
            Comparator.comparingLong(Share::bytes)
                .thenComparingDouble(Share::bitsPerSecond)
                .reversed()
                .thenComparing(share -> share.route().toString()))
        .toList();
  }

  private static Map<Integer, Integer> uses(List<Flow> flows) {
    Map<Integer, Integer> uses = new HashMap<>();
    flows.forEach(flow -> flow.edges().forEach(edge -> uses.merge(edge, 1, Integer::sum)));
    return uses;
  }

  /** The measured links as edges, each with the hop that one connection makes of it. */
  private static final class Network {

    private final Topology topology;
    private final RouteQuestion request;
    private final List<String> names;
    private final List<Edge> edges = new ArrayList<>();
    private final List<Hop> hops = new ArrayList<>();

    /** A rate that stands for no limit: more than all limited links together. */
    private final double unlimited;

    Network(Topology topology, RouteQuestion request) {
      this.topology = topology;
      this.request = request;
      MeasuredHops measured = new MeasuredHops(topology, request);
      names = topology.nodes().stream().filter(node -> isEnd(node) || allowed(node)).toList();
      Map<String, Integer> numbers = new HashMap<>();
      names.forEach(name -> numbers.put(name, numbers.size()));
      for (String from : names) {
        topology
            .linksFrom(from)
            .forEach((to, link) -> {
              boolean useful =
                  numbers.containsKey(to)
                      && !from.equals(request.destination())
                      && !to.equals(request.source());
              if (useful) {
                add(numbers, from, to, measured.alone(from, to));
              }
            });
      }
      unlimited =
          1 + 2 * edges.stream().mapToDouble(Edge::bitsPerSecond).filter(Double::isFinite).sum();
    }

    private boolean isEnd(String node) {
      return node.equals(request.source()) || node.equals(request.destination());
    }

    private boolean allowed(String relay) {
      Optional<String> site = topology.relayTerms(relay).site();
      return !request.avoid().contains(relay)
          && (request.limits().allowedSites().isEmpty()
              || site.filter(request.limits().allowedSites()::contains).isPresent())
          && site.filter(request.limits().forbiddenSites()::contains).isEmpty();
    }

    private void add(Map<String, Integer> numbers, String from, String to, Hop hop) {
      double free =
          topology.linkTerms(from, to).freeBitsPerSecond().orElse(Double.POSITIVE_INFINITY)
              * RouteQuestion.FRAMING.payloadShare();
      double rate = Math.min(alone(hop), free);
      boolean last = to.equals(request.destination());
      double delay =
          hop.packetDelaySeconds()
              + (last ? 0 : request.relayDelaySeconds())
              + request
                  .setup()
                  .shareOfHopSeconds(hop.rttSeconds(), last ? 1 : 2, from.equals(request.source()));
      edges.add(
          new Edge(numbers.getOrDefault(from, -1), numbers.getOrDefault(to, -1), rate, delay));
      hops.add(hop);
    }

    /**
     * A hop's steady rate or, for a transfer, its mean rate: the beginning is faster than the
     * steady rate.
     */
    private double alone(Hop hop) {
      if (request.bytes().isEmpty()) {
        return hop.steadyRate().bitsPerSecond();
      }
      long bytes = request.bytes().getAsLong();
      return 8 * bytes / SlowStart.secondsBeyondWay(hop, bytes, INITIAL_WINDOW);
    }

    CapacityGraph graph() {
      double[] free = new double[names.size()];
      for (int node = 0; node < free.length; node++) {
        free[node] =
            topology
                .relayTerms(names.get(node))
                .freeBitsPerSecond()
                .orElse(Double.POSITIVE_INFINITY);
      }
      return new CapacityGraph(
          names.size(),
          names.indexOf(request.source()),
          names.indexOf(request.destination()),
          free,
          edges.stream()
              .map(edge ->
                  new Edge(
                      edge.from(),
                      edge.to(),
                      Math.min(edge.bitsPerSecond(), unlimited),
                      edge.delaySeconds()))
              .toList());
    }

    /**
     * The path's chain, in which every hop that others share is limited to the path's part of it.
     */
    Cascade chain(Flow flow, Map<Integer, Integer> uses) {
      Rate wire = new Rate(flow.bitsPerSecond() / RouteQuestion.FRAMING.payloadShare());
      List<Hop> limited = new ArrayList<>();
      for (int edge : flow.edges()) {
        Hop hop = hops.get(edge);
        boolean own = uses.getOrDefault(edge, 1) == 1;
        limited.add(own ? hop : hop.withCapacity(wire));
      }
      return new Cascade(
          limited,
          request.setup(),
          RelayDiscipline.CUT_THROUGH,
          request.relayDelaySeconds(),
          INITIAL_WINDOW);
    }

    Share share(Flow flow, double latency, long bytes, Map<Integer, Integer> uses) {
      List<String> nodes = new ArrayList<>(List.of(request.source()));
      List<SharedHop> shared = new ArrayList<>();
      int slowest = 0;
      for (int i = 0; i < flow.edges().size(); i++) {
        int number = flow.edges().get(i);
        Edge edge = edges.get(number);
        nodes.add(names.get(edge.to()));
        shared.add(
            new SharedHop(
                names.get(edge.from()),
                names.get(edge.to()),
                hops.get(number).rttSeconds(),
                edge.bitsPerSecond(),
                uses.getOrDefault(number, 1)));
        if (edge.bitsPerSecond() < shared.get(slowest).bitsPerSecond()) {
          slowest = i;
        }
      }
      return new Share(
          new NodePath(nodes),
          flow.edges().size() == 1 ? request.directControl() : request.hopControl(),
          flow.bitsPerSecond(),
          latency,
          bytes,
          slowest,
          shared);
    }
  }
}
