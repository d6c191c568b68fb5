package io.cascade.siting;

import io.cascade.model.cascade.SetupMode;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.units.Require;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Question of which sites to rent: the candidates, the traffic, the measurements and the limits.
 *
 * @param links measured links among sites and the demands' ends; the link from a demand's source to
 *     its destination is its direct path
 * @param mostSites k, how many sites may be rented
 * @param budget limit of the sum of their prices; empty if only their number is limited
 * @param maxRelays the most relays that a chain may have, 1 to 4
 * @param directControl congestion control of direct connections
 * @param hopControl congestion control of every hop of a chain
 * @param setup how a chain is opened
 * @param relayDelaySeconds processing delay that a relay adds to every packet
 * @param timeLimit for the solver, which returns the best answer and bound found by then
 */
public record SitingRequest(
    List<Site> sites,
    List<Demand> demands,
    Topology links,
    int mostSites,
    OptionalDouble budget,
    int maxRelays,
    Objective objective,
    CongestionControl directControl,
    CongestionControl hopControl,
    SetupMode setup,
    Framing framing,
    double relayDelaySeconds,
    Duration timeLimit) {

  /** The most relays in a chain that are considered. */
  public static final int MOST_RELAYS = 4;

  /** Checks that the parts agree. */
  public SitingRequest {
    sites = List.copyOf(sites);
    demands = List.copyOf(demands);
    if (sites.isEmpty()) {
      throw Require.outside("sites", "none", "at least one candidate");
    }
    if (demands.isEmpty()) {
      throw Require.outside("demands", "none", "at least one");
    }
    Set<String> names = new HashSet<>();
    for (Site site : sites) {
      if (!names.add(site.name())) {
        throw Require.outside("site", site.name(), "each candidate once");
      }
      if (!links.nodes().contains(site.name())) {
        throw Require.outside("site", site.name(), "a node that some measured link touches");
      }
    }
    for (Demand demand : demands) {
      for (String end : List.of(demand.from(), demand.to())) {
        if (!links.nodes().contains(end)) {
          throw Require.outside(
              "demand " + demand.label(), end, "a node that some measured link touches");
        }
      }
      if (objective == Objective.TIME && demand.bytes().isEmpty()) {
        throw Require.outside(
            "bytes of " + demand.label(), "none", "bytes of every demand, or objective gain");
      }
      if (objective == Objective.GAIN && links.link(demand.from(), demand.to()).isEmpty()) {
        throw Require.outside(
            "link " + demand.label(), "not measured", "the direct path, or objective time");
      }
    }
    Require.atLeast("mostSites", mostSites, 1);
    budget.ifPresent(value -> Require.notNegative("budget", value));
    if (maxRelays < 1 || maxRelays > MOST_RELAYS) {
      throw Require.outside("maxRelays", maxRelays, "1.." + MOST_RELAYS);
    }
    Require.notNegative("relayDelaySeconds", relayDelaySeconds);
    if (!timeLimit.isPositive()) {
      throw Require.outside("timeLimit", timeLimit, "> 0");
    }
  }

  /** Warm chains of up to two relays with CUBIC everywhere, and a minute for the solver. */
  public static SitingRequest of(
      List<Site> sites, List<Demand> demands, Topology links, int mostSites, Objective objective) {
    return new SitingRequest(
        sites,
        demands,
        links,
        mostSites,
        OptionalDouble.empty(),
        2,
        objective,
        CongestionControl.CUBIC,
        CongestionControl.CUBIC,
        SetupMode.WARM,
        Framing.ETHERNET_1500,
        0,
        Duration.ofMinutes(1));
  }

  /** The same with a limit on the sum of prices. */
  public SitingRequest withBudget(double most) {
    return new SitingRequest(
        sites,
        demands,
        links,
        mostSites,
        OptionalDouble.of(most),
        maxRelays,
        objective,
        directControl,
        hopControl,
        setup,
        framing,
        relayDelaySeconds,
        timeLimit);
  }

  /** The same with chains of up to this number of relays. */
  public SitingRequest withMaxRelays(int most) {
    return new SitingRequest(
        sites,
        demands,
        links,
        mostSites,
        budget,
        most,
        objective,
        directControl,
        hopControl,
        setup,
        framing,
        relayDelaySeconds,
        timeLimit);
  }

  /** The same with other congestion controls. */
  public SitingRequest withControl(CongestionControl direct, CongestionControl hops) {
    return new SitingRequest(
        sites,
        demands,
        links,
        mostSites,
        budget,
        maxRelays,
        objective,
        direct,
        hops,
        setup,
        framing,
        relayDelaySeconds,
        timeLimit);
  }

  /** The same with this time limit for the solver. */
  public SitingRequest withTimeLimit(Duration limit) {
    return new SitingRequest(
        sites,
        demands,
        links,
        mostSites,
        budget,
        maxRelays,
        objective,
        directControl,
        hopControl,
        setup,
        framing,
        relayDelaySeconds,
        limit);
  }
}
