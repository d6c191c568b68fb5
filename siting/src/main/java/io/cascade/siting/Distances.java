package io.cascade.siting;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Costs of one demand's ways by the model: the exact cost of a chain, and a bound on it that is
 * cheap enough to compute for every chain.
 *
 * <p>Losses are taken at their likely value. An unknown capacity of a chain's link is assumed to be
 * the direct path's, as in planning.
 *
 * <p>Nodes are numbered: sites first, then the demand's source and its destination.
 */
final class Distances {

  private static final int INITIAL_WINDOW = 10;

  private final SitingRequest request;
  private final Demand demand;
  private final int source;
  private final int destination;
  private final @Nullable Hop[][] hops;
  private final double[][] ways;
  private final double[][] extras;
  private final double directCost;

  Distances(SitingRequest request, Demand demand) {
    this.request = request;
    this.demand = demand;
    List<String> names = new ArrayList<>(request.sites().stream().map(Site::name).toList());
    source = names.size();
    destination = source + 1;
    names.add(demand.from());
    names.add(demand.to());
    Topology links = request.links();
    Optional<LinkEstimate> direct = links.link(demand.from(), demand.to());
    OptionalDouble assumed =
        direct.map(known -> known.capacity().known()).orElse(OptionalDouble.empty());
    int nodes = names.size();
    hops = new Hop[nodes][nodes];
    ways = new double[nodes][nodes];
    extras = new double[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        if (from == destination || to == source || from == to) {
          continue;
        }
        Optional<LinkEstimate> link = links.link(names.get(from), names.get(to));
        if (link.isPresent()) {
          keep(from, to, hop(link.get(), request.hopControl(), assumed));
        }
      }
    }
    directCost =
        direct
            .map(
                link -> costOf(List.of(hop(link, request.directControl(), OptionalDouble.empty()))))
            .orElse(Double.POSITIVE_INFINITY);
  }

  private void keep(int from, int to, Hop hop) {
    double rate = hop.steadyRate().bitsPerSecond();
    if (rate == 0) {
      return;
    }
    hops[from][to] = hop;
    ways[from][to] = hop.packetDelaySeconds();
    if (demand.bytes().isPresent()) {
      Cascade alone = cascade(List.of(hop));
      extras[from][to] =
          alone.leastSeconds(demand.bytes().getAsLong())
              - alone.setupSeconds()
              - hop.packetDelaySeconds();
    } else {
      extras[from][to] = 1 / rate;
    }
  }

  private Hop hop(LinkEstimate link, CongestionControl control, OptionalDouble assumedCapacity) {
    Hop hop =
        new Hop(
            link.rtt().toNanos() / 1e9,
            link.loss().likely(),
            link.capacity().known(),
            request.framing(),
            control.model(),
            OptionalLong.empty());
    return hop.capacityBitsPerSecond().isPresent() || assumedCapacity.isEmpty()
        ? hop
        : hop.withCapacity(new Rate(assumedCapacity.getAsDouble()));
  }

  /** Cost of the direct path; infinite if it was not measured or carries nothing. */
  double directCost() {
    return directCost;
  }

  int source() {
    return source;
  }

  int destination() {
    return destination;
  }

  /** Whether the link was measured and carries something. */
  boolean connects(int from, int to) {
    return hops[from][to] != null;
  }

  /** Whether a site can relay this demand, since it is not one of its ends. */
  boolean relays(int site) {
    String name = request.sites().get(site).name();
    return !name.equals(demand.from()) && !name.equals(demand.to());
  }

  /**
   * The part of a link's cost that adds up along a chain: the wait for the set-up and the first
   * packet's propagation. Zero for a stream, for which only the rate counts.
   *
   * @param hopsFromHere hops from this link to the destination, both included
   */
  double fixedSeconds(int from, int to, int hopsFromHere) {
    Hop hop = hops[from][to];
    if (demand.bytes().isEmpty() || hop == null) {
      return 0;
    }
    return ways[from][to]
        + (hopsFromHere > 1 ? request.relayDelaySeconds() : 0)
        + request.setup().shareOfHopSeconds(hop.rttSeconds(), hopsFromHere, from == source);
  }

  /**
   * The part of a link's cost of which only the largest along a chain counts: its own delivery of
   * all bytes, or seconds per bit.
   */
  double deliverySeconds(int from, int to) {
    return extras[from][to];
  }

  /** The cost of a chain by the full model; every link of it must have been measured. */
  double cost(int[] relays, int count) {
    List<Hop> chain = new ArrayList<>(count + 1);
    int at = source;
    for (int i = 0; i <= count; i++) {
      int next = i == count ? destination : relays[i];
      Hop hop = hops[at][next];
      if (hop == null) {
        return Double.POSITIVE_INFINITY;
      }
      chain.add(hop);
      at = next;
    }
    return costOf(chain);
  }

  private double costOf(List<Hop> chain) {
    Cascade cascade = cascade(chain);
    return demand.bytes().isPresent()
        ? cascade.deliver(demand.bytes().getAsLong()).totalSeconds()
        : 1 / cascade.steadyBitsPerSecond();
  }

  private Cascade cascade(List<Hop> chain) {
    return new Cascade(
        chain,
        request.setup(),
        RelayDiscipline.CUT_THROUGH,
        request.relayDelaySeconds(),
        INITIAL_WINDOW);
  }
}
