package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.planning.RouteObjective.Bound;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Yields the routes through relays in the order of their bounds, exactly, one at a time.
 *
 * <p>Two passes. Backward from the destination, hop by hop, every node gets the front of (delay,
 * rate) pairs that its ways of exactly r further hops offer and that no other pair betters in both:
 * the layered form of "for each rate, the shortest path among links that are no slower". Forward
 * from the source, best first, partial routes grow in the order of the least bound that the fronts
 * still promise them, so complete routes come out in order and the first is the best.
 *
 * <p>The fronts allow ways that pass a node twice, the routes do not; a promise is then too low,
 * never too high, and the order stays exact.
 */
final class RouteSearch {

  private final List<String> names;
  private final int source;
  private final int destination;
  private final Link[][] linksFrom;
  private final Front[][] fronts;
  private final RouteObjective objective;
  private final SetupMode setup;
  private final double relayDelaySeconds;

  RouteSearch(Topology topology, PlanRequest request, Forecaster forecaster) {
    names = new ArrayList<>(topology.nodes());
    names.removeAll(request.avoid());
    if (!names.contains(request.source())) {
      names.add(request.source());
    }
    if (!names.contains(request.destination())) {
      names.add(request.destination());
    }
    Map<String, Integer> indexes = new HashMap<>();
    for (String name : names) {
      indexes.put(name, indexes.size());
    }
    source = names.indexOf(request.source());
    destination = names.indexOf(request.destination());
    objective = new RouteObjective(request.bytes(), request.framing().mssBytes());
    setup = request.setup();
    relayDelaySeconds = request.relayDelaySeconds();
    linksFrom = new Link[names.size()][];
    for (int node = 0; node < names.size(); node++) {
      linksFrom[node] = usableLinks(topology, node, indexes, forecaster);
    }
    fronts = fronts(request.maxRelays() + 1);
  }

  private Link[] usableLinks(
      Topology topology, int from, Map<String, Integer> indexes, Forecaster forecaster) {
    List<Link> links = new ArrayList<>();
    topology
        .linksFrom(names.get(from))
        .forEach((name, estimate) -> {
          Integer to = indexes.get(name);
          if (to != null && from != destination && to != source) {
            Hop hop = forecaster.likelyHop(estimate);
            links.add(
                new Link(
                    to,
                    hop.rttSeconds(),
                    hop.packetDelaySeconds(),
                    hop.steadyRate().bitsPerSecond()));
          }
        });
    return links.toArray(Link[]::new);
  }

  /** Routes of exactly {@code hops} hops, best bound first. */
  Routes withHops(int hops) {
    return new Routes(hops);
  }

  private double delayOf(Link link, int hopsFromHere, boolean first) {
    return link.packetDelaySeconds()
        + (hopsFromHere > 1 ? relayDelaySeconds : 0)
        + setup.shareOfHopSeconds(link.rttSeconds(), hopsFromHere, first);
  }

  private Front[][] fronts(int mostHops) {
    Front[][] byHops = new Front[mostHops + 1][names.size()];
    for (Front[] layer : byHops) {
      Arrays.fill(layer, Front.EMPTY);
    }
    byHops[0][destination] = new Front(new double[] {0}, new double[] {Double.POSITIVE_INFINITY});
    for (int hops = 1; hops <= mostHops; hops++) {
      for (int node = 0; node < names.size(); node++) {
        List<double[]> ways = new ArrayList<>();
        for (Link link : linksFrom[node]) {
          double delay = delayOf(link, hops, node == source);
          Front onward = byHops[hops - 1][link.to()];
          for (int i = 0; i < onward.delays().length; i++) {
            ways.add(
                new double[] {
                  delay + onward.delays()[i], Math.min(link.bitsPerSecond(), onward.rates()[i])
                });
          }
        }
        byHops[hops][node] = Front.of(ways);
      }
    }
    return byHops;
  }

  /** A usable link, as a hop. */
  private record Link(int to, double rttSeconds, double packetDelaySeconds, double bitsPerSecond) {}

  /** Pairs that no other pair betters in both; delays and rates both ascend. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
  private record Front(double[] delays, double[] rates) {
    static final Front EMPTY = new Front(new double[0], new double[0]);

    static Front of(List<double[]> ways) {
      if (ways.isEmpty()) {
        return EMPTY;
      }
      ways.sort(
          Comparator.<double[]>comparingDouble(way -> way[0])
              .thenComparing(Comparator.<double[]>comparingDouble(way -> way[1]).reversed()));
      double[] delays = new double[ways.size()];
      double[] rates = new double[ways.size()];
      int size = 0;
      for (double[] way : ways) {
        if (size == 0 || way[1] > rates[size - 1]) {
          delays[size] = way[0];
          rates[size++] = way[1];
        }
      }
      return new Front(Arrays.copyOf(delays, size), Arrays.copyOf(rates, size));
    }
  }

  /** A route from the source to a node, and the least bound of any way on from there. */
  private record Partial(
      int node,
      int hopsLeft,
      double delaySeconds,
      double bitsPerSecond,
      Bound bound,
      @Nullable Partial before) {

    boolean passes(int other) {
      for (Partial at = this; at != null; at = at.before()) {
        if (at.node() == other) {
          return true;
        }
      }
      return false;
    }
  }

  /** Routes in the order of their bounds. */
  final class Routes {

    private final PriorityQueue<Partial> open =
        new PriorityQueue<>(
            Comparator.comparing(Partial::bound).thenComparingInt(Partial::hopsLeft));

    private Routes(int hops) {
      offer(source, hops, 0, Double.POSITIVE_INFINITY, null);
    }

    /** A bound that no route still to come betters. */
    Bound nextBound() {
      Partial head = open.peek();
      return head == null ? Bound.NONE : head.bound();
    }

    /** The next route, if there is one. */
    Optional<Route> next() {
      while (!open.isEmpty()) {
        Partial best = open.remove();
        if (best.hopsLeft() == 0) {
          return Optional.of(route(best));
        }
        for (Link link : linksFrom[best.node()]) {
          if (!best.passes(link.to())) {
            offer(
                link.to(),
                best.hopsLeft() - 1,
                best.delaySeconds() + delayOf(link, best.hopsLeft(), best.node() == source),
                Math.min(best.bitsPerSecond(), link.bitsPerSecond()),
                best);
          }
        }
      }
      return Optional.empty();
    }

    private void offer(
        int node, int hopsLeft, double delay, double rate, @Nullable Partial before) {
      Front onward = fronts[hopsLeft][node];
      Bound bound = Bound.NONE;
      for (int i = 0; i < onward.delays().length; i++) {
        Bound promise = objective.of(delay + onward.delays()[i], Math.min(rate, onward.rates()[i]));
        bound = promise.compareTo(bound) < 0 ? promise : bound;
      }
      if (onward.delays().length > 0) {
        open.add(new Partial(node, hopsLeft, delay, rate, bound, before));
      }
    }

    private Route route(Partial end) {
      Deque<String> nodes = new ArrayDeque<>();
      for (Partial at = end; at != null; at = at.before()) {
        nodes.addFirst(names.get(at.node()));
      }
      return new Route(List.copyOf(nodes));
    }
  }
}
