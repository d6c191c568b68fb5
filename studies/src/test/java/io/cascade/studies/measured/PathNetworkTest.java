package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.studies.measured.EmulatedPath.Bottleneck;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.EmulatedPath.Layout;
import io.cascade.studies.measured.EmulatedPath.LossAt;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathNetworkTest {

  @Test
  void onThePathTheLinksMakeTheDirectWay() {
    Topology topology = network(Layout.ON_PATH, Bottleneck.CLIENT, Ends.BARE).topology("some");

    assertThat(topology.links()).extracting(LinkSpec::to).containsExactly("r1", "r2", "server");
    assertThat(
            topology.links().stream()
                .mapToDouble(link -> link.forward().delay().toNanos() / 5e5)
                .sum())
        .isCloseTo(100, within(1e-3));
    double arrives = 1;
    for (LinkSpec link : topology.links()) {
      arrives *= 1 - link.forward().loss().meanProbability();
      assertThat(link.backward().loss().meanProbability()).isZero();
    }
    assertThat(1 - arrives).isCloseTo(0.01, within(1e-9));
    assertThat(topology.links())
        .extracting(link -> link.forward().bitsPerSecond())
        .containsExactly(20_000_000L, 60_000_000L, 60_000_000L);
    assertThat(topology.site("client").relays()).isEmpty();
  }

  @Test
  void offThePathEveryPairHasALinkAndTheBottleneckIsShared() {
    Topology topology = network(Layout.OFF_PATH, Bottleneck.SERVER, Ends.RELAYS).topology("some");

    assertThat(topology.links()).hasSize(7); // Six pairs, and the server's own link.
    assertThat(topology.links().getFirst()).extracting(LinkSpec::from).isEqualTo("router");
    assertThat(topology.links().getFirst().forward().bitsPerSecond()).isEqualTo(20_000_000);
    assertThat(topology.links().stream().filter(link -> link.to().equals("server"))).hasSize(1);
    assertThat(topology.site("client").relays()).containsExactly("home");
    assertThat(topology.site("server").relays()).containsExactly("dock");
  }

  @Test
  void theModelExpectsMoreOfShorterHopsAndLessOfLongerOnes() {
    PathNetwork onPath = network(Layout.ON_PATH, Bottleneck.NONE, Ends.BARE);
    Way both = new Way(List.of("r1", "r2"));

    assertThat(onPath.expectedBitsPerSecond(both, 10_000_000))
        .isGreaterThan(2 * onPath.expectedBitsPerSecond(Way.DIRECT, 10_000_000));
    assertThat(onPath.expectedBest(10_000_000)).isEqualTo(both);
  }

  @Test
  void relaysOnTheEndsHostsAddNoLinks() {
    PathNetwork network = network(Layout.ON_PATH, Bottleneck.NONE, Ends.RELAYS);
    Way way = new Way(List.of("home", "r1", "dock"));

    assertThat(network.expectedBitsPerSecond(way, 10_000_000))
        .isEqualTo(network.expectedBitsPerSecond(new Way(List.of("r1")), 10_000_000));
  }

  @Test
  void theFileTakesTheDirectWayAFewSecondsWithinBounds() {
    PathNetwork network = network(Layout.ON_PATH, Bottleneck.NONE, Ends.BARE);

    assertThat(network.bytes()).isBetween(1L << 20, 96L << 20);
    assertThat(8 * network.bytes() / network.expectedBitsPerSecond(Way.DIRECT, network.bytes()))
        .isBetween(8.0, 18.0);
  }

  private static PathNetwork network(Layout layout, Bottleneck bottleneck, Ends ends) {
    return new PathNetwork(
        new EmulatedPath(
            1,
            1,
            "cubic",
            "cubic",
            20,
            100,
            0.01,
            1,
            false,
            LossAt.EVENLY,
            layout,
            1.2,
            0.5,
            bottleneck,
            ends,
            List.of(0.25, 0.5)));
  }
}
