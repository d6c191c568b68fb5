package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Hop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The search against brute force over every simple route of hundreds of small networks. */
class RouteSearchTest {

  private static final int NETWORKS = 400;

  @Test
  void yieldsEveryRouteInTheOrderOfItsBound() {
    RandomNetworks random = new RandomNetworks(1);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      PlanRequest request = random.request();
      Forecaster forecaster = new Forecaster(topology, request);
      RouteSearch search = new RouteSearch(topology, request, forecaster);
      List<Route> all = RandomNetworks.cascades(topology, request);
      for (int hops = 2; hops <= request.maxRelays() + 1; hops++) {
        int exactly = hops;
        List<double[]> expected =
            all.stream()
                .filter(route -> route.hops() == exactly)
                .map(route -> bound(route, topology, request, forecaster))
                .sorted(
                    Comparator.<double[]>comparingDouble(bound -> bound[0])
                        .thenComparingDouble(bound -> bound[1]))
                .toList();
        List<double[]> found = new ArrayList<>();
        RouteSearch.Routes routes = search.withHops(hops);
        for (Optional<Route> route = routes.next(); route.isPresent(); route = routes.next()) {
          found.add(bound(route.get(), topology, request, forecaster));
        }
        assertThat(found).hasSameSizeAs(expected);
        for (int k = 0; k < found.size(); k++) {
          assertThat(found.get(k)[0])
              .isCloseTo(expected.get(k)[0], within(1e-9 * Math.abs(expected.get(k)[0])));
        }
      }
    }
  }

  @Test
  void noScoreBeatsTheBound() {
    RandomNetworks random = new RandomNetworks(2);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      PlanRequest request = random.request();
      if (request.bytes().isPresent()) {
        Forecaster forecaster = new Forecaster(topology, request);
        for (Route route : RandomNetworks.cascades(topology, request)) {
          assertThat(forecaster.likelyCascadeCost(route))
              .isGreaterThanOrEqualTo(bound(route, topology, request, forecaster)[0] * (1 - 1e-9));
        }
      }
    }
  }

  /** Time, or (−rate, delay) for a stream, by the formula and without the search. */
  private static double[] bound(
      Route route, Topology topology, PlanRequest request, Forecaster forecaster) {
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < route.hops(); i++) {
      hops.add(
          forecaster.likelyHop(
              topology.link(route.nodes().get(i), route.nodes().get(i + 1)).orElseThrow()));
    }
    double rate =
        hops.stream().mapToDouble(hop -> hop.steadyRate().bitsPerSecond()).min().orElseThrow();
    double delay =
        request.setup().seconds(hops)
            + hops.stream().mapToDouble(Hop::packetDelaySeconds).sum()
            + route.relays().size() * request.relayDelaySeconds();
    if (request.bytes().isEmpty()) {
      return new double[] {-rate, delay};
    }
    double bits = 8.0 * Math.max(0, request.bytes().getAsLong() - request.framing().mssBytes());
    return new double[] {delay + bits / rate, delay};
  }
}
