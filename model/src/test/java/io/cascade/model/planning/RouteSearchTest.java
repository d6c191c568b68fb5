package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.routing.RouteSearch;
import io.cascade.model.routing.RouteSearch.Found;
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
      RouteQuestion request = random.request();
      Forecaster forecaster = new Forecaster(topology, request);
      NumberedSearch finder = finder(topology, request, forecaster);
      List<NodePath> all = RandomNetworks.cascades(topology, request);
      for (int hops = 2; hops <= request.maxRelays() + 1; hops++) {
        int exactly = hops;
        List<double[]> expected =
            all.stream()
                .filter(route -> route.hops() == exactly)
                .map(route -> bound(route, request, forecaster))
                .sorted(
                    Comparator.<double[]>comparingDouble(bound -> bound[0])
                        .thenComparingDouble(bound -> bound[1]))
                .toList();
        List<double[]> found = new ArrayList<>();
        RouteSearch.Routes routes =
            finder.withRelays(hops - 1, RouteSearch.Order.BOUND).orElseThrow();
        for (Optional<Found> next = routes.next(); next.isPresent(); next = routes.next()) {
          double[] bound = bound(finder.route(next.get()), request, forecaster);
          assertThat(next.get().bound()).isCloseTo(bound[0], within(1e-9 * bound[0]));
          found.add(bound);
        }
        assertThat(found).hasSameSizeAs(expected);
        for (int k = 0; k < found.size(); k++) {
          assertThat(found.get(k)[0])
              .isCloseTo(expected.get(k)[0], within(1e-9 * expected.get(k)[0]));
        }
      }
    }
  }

  @Test
  void noScoreBeatsTheBound() {
    RandomNetworks random = new RandomNetworks(2);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      if (request.bytes().isPresent()) {
        Forecaster forecaster = new Forecaster(topology, request);
        for (NodePath route : RandomNetworks.cascades(topology, request)) {
          assertThat(forecaster.likelyCascadeCost(route))
              .isGreaterThanOrEqualTo(bound(route, request, forecaster)[0] * (1 - 1e-9));
        }
      }
    }
  }

  private static NumberedSearch finder(
      Topology topology, RouteQuestion request, Forecaster forecaster) {
    return new NumberedSearch(
        topology, request, forecaster.measured(), new Exclusions(topology, request));
  }

  /** Time, or (time per bit, delay) for a stream, by the formula and without the search. */
  private static double[] bound(NodePath route, RouteQuestion request, Forecaster forecaster) {
    Cascade cascade = forecaster.chain(route, request.hopControl(), 1, LossLevel.LIKELY);
    double delay =
        cascade.setupSeconds()
            + cascade.hops().stream().mapToDouble(Hop::packetDelaySeconds).sum()
            + route.relays().size() * request.relayDelaySeconds();
    return request.bytes().isPresent()
        ? new double[] {cascade.leastSeconds(request.bytes().getAsLong()), 0}
        : new double[] {1 / cascade.steadyBitsPerSecond(), delay};
  }
}
