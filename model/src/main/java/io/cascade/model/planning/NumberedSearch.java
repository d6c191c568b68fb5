package io.cascade.model.planning;

import io.cascade.model.cascade.SlowStart;
import io.cascade.model.planning.NumberedTopology.HopNumbers;
import io.cascade.model.routing.LinkCosts;
import io.cascade.model.routing.LinkGraph;
import io.cascade.model.routing.RouteSearch;
import io.cascade.model.routing.Tariff;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** Converts a topology and a request to the numbers of the search, and routes back to names. */
final class NumberedSearch {

  private static final double SECONDS_PER_HOUR = 3600;
  private static final double GIBIBYTE = 1L << 30;

  private final Topology topology;
  private final RouteQuestion request;
  private final NumberedTopology numbered;
  private final Exclusions exclusions;
  private final MeasuredHops measured;
  private final Optional<RouteSearch> search;

  NumberedSearch(
      Topology topology, RouteQuestion request, MeasuredHops measured, Exclusions exclusions) {
    this.topology = topology;
    this.request = request;
    this.measured = measured;
    this.exclusions = exclusions;
    this.numbered = topology.numbered();
    int source = numbered.number(request.source());
    int destination = numbered.number(request.destination());
    this.search =
        source < 0 || destination < 0 ? Optional.empty() : Optional.of(search(source, destination));
  }

  /** Routes with exactly this many relays, best first; empty if an end has no link at all. */
  Optional<RouteSearch.Routes> withRelays(int relays, RouteSearch.Order order) {
    return search.map(known -> known.withHops(relays + 1, order));
  }

  NodePath route(RouteSearch.Found found) {
    return new NodePath(Arrays.stream(found.nodes()).mapToObj(numbered::name).toList());
  }

  private RouteSearch search(int source, int destination) {
    HopNumbers hops = numbered.hops(request, measured);
    LinkGraph graph = numbered.graph();
    double[] freeOfNode = freeOfNodes(graph.nodes(), source, destination);
    double[] burden = new double[graph.links()];
    boolean[] usable = new boolean[graph.links()];
    for (int node = 0; node < graph.nodes(); node++) {
      if (node == destination || freeOfNode[node] == 0) {
        continue;
      }
      for (int link = graph.first(node); link < graph.first(node + 1); link++) {
        int to = graph.target(link);
        if (to == source || freeOfNode[to] == 0 || (node == source && to == destination)) {
          continue;
        }
        usable[link] = true;
        burden[link] = burden(hops, link, Math.min(freeOfNode[node], freeOfNode[to]));
      }
    }
    if (topology.hasLinkTerms()) {
      applyLinkTerms(graph, hops, burden, usable);
    }
    return new RouteSearch(
        graph,
        new LinkCosts(
            hops.waySeconds(),
            hops.rttSeconds(),
            burden,
            usable,
            request.setup(),
            request.relayDelaySeconds(),
            request.bytes().isEmpty()),
        source,
        destination,
        request.maxRelays() + 1,
        tariff(graph));
  }

  private double burden(HopNumbers hops, int link, double freeBitsPerSecond) {
    if (request.bytes().isEmpty()) {
      return 1 / Math.min(hops.bitsPerSecond()[link], freeBitsPerSecond);
    }
    int mss = RouteQuestion.FRAMING.mssBytes();
    return SlowStart.secondsBeyondWay(
        hops.pace(link, freeBitsPerSecond, mss, Forecaster.INITIAL_WINDOW),
        hops.rttSeconds()[link],
        Math.ceilDiv(request.bytes().getAsLong(), mss),
        Forecaster.INITIAL_WINDOW);
  }

  /** The free payload rate of each node; 0 for those that are excluded. */
  private double[] freeOfNodes(int nodes, int source, int destination) {
    double[] free = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      String name = numbered.name(node);
      boolean end = node == source || node == destination;
      free[node] =
          end
              ? Double.POSITIVE_INFINITY
              : exclusions.excludes(name)
                  ? 0
                  : topology.relayTerms(name).freeBitsPerSecond().orElse(Double.POSITIVE_INFINITY);
    }
    return free;
  }

  /**
   * Subtracts promises to other chains from the capacity of links; a link without free capacity is
   * removed.
   */
  private void applyLinkTerms(LinkGraph graph, HopNumbers hops, double[] burden, boolean[] usable) {
    double share = RouteQuestion.FRAMING.payloadShare();
    for (int node = 0; node < graph.nodes(); node++) {
      for (int link = graph.first(node); link < graph.first(node + 1); link++) {
        OptionalDouble free =
            topology
                .linkTerms(numbered.name(node), numbered.name(graph.target(link)))
                .freeBitsPerSecond();
        if (free.isPresent() && usable[link]) {
          usable[link] = free.getAsDouble() > 0;
          burden[link] = Math.max(burden[link], burden(hops, link, share * free.getAsDouble()));
        }
      }
    }
  }

  /** Prices, if anything is limited or ordered by them. */
  private Optional<Tariff> tariff(LinkGraph graph) {
    RouteLimits limits = request.limits();
    boolean matter =
        request.objective() != Objective.TIME
            || limits.mostPricePerGibibyte().isPresent()
            || limits.mostPricePerHour().isPresent();
    if (!matter) {
      return Optional.empty();
    }
    double[] traffic = new double[graph.links()];
    double[] hourly = new double[graph.nodes()];
    for (int node = 0; node < graph.nodes(); node++) {
      String name = numbered.name(node);
      hourly[node] = topology.relayTerms(name).pricePerHour();
      for (int link = graph.first(node); link < graph.first(node + 1); link++) {
        traffic[link] = topology.pricePerGibibyte(name, numbered.name(graph.target(link)));
      }
    }
    OptionalDouble rate = limits.leastBitsPerSecond();
    boolean fixed = request.bytes().isEmpty() && rate.isPresent();
    return Optional.of(
        new Tariff(
            traffic,
            hourly,
            fixed ? 0 : hoursPerGibibytePerCost(),
            fixed ? 8 * GIBIBYTE / rate.getAsDouble() / SECONDS_PER_HOUR : 0,
            limits.mostPricePerGibibyte().orElse(Double.POSITIVE_INFINITY),
            limits.mostPricePerHour().orElse(Double.POSITIVE_INFINITY)));
  }

  /**
   * Hours per GiB and unit of cost, which is the whole transfer's seconds, or a stream's seconds
   * per bit.
   */
  private double hoursPerGibibytePerCost() {
    return request.bytes().isPresent()
        ? GIBIBYTE / request.bytes().getAsLong() / SECONDS_PER_HOUR
        : 8 * GIBIBYTE / SECONDS_PER_HOUR;
  }
}
