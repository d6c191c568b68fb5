package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.lab.ShippedTopologies;
import io.cascade.lab.Topology;
import io.cascade.studies.rivals.RivalPath.Hop;
import io.cascade.studies.rivals.RivalPath.Udp;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PathDrawTest {
  private static final List<RivalPath> MANY = PathDraw.paths(300, 1);

  @Test
  void theSameSeedDrawsTheSamePathsAndAShorterListBeginsALongerOne() {
    assertThat(PathDraw.paths(50, 7).subList(0, 20)).isEqualTo(PathDraw.paths(20, 7));
    assertThat(PathDraw.paths(20, 8)).isNotEqualTo(PathDraw.paths(20, 7));
  }

  @Test
  void staysWithinItsRanges() {
    for (RivalPath path : MANY) {
      assertThat(path.bottleneckMegabits()).isBetween(10.0, 1_000.0);
      assertThat(path.rttSeconds()).isBetween(0.0048, 0.3002);
      assertThat(path.loss()).isBetween(0.0, 0.0301);
      assertThat(path.bytes()).isBetween(100_000L, 1_000_000_000L);
      assertThat(8 * path.bytes() / 1e6 / path.bottleneckMegabits()).isLessThan(20.2);
      assertThat(path.relays()).hasSizeBetween(0, 3);
    }
  }

  @Test
  void theBottleneckHasTheDrawnBuffer() {
    for (RivalPath path : MANY) {
      Hop slow =
          path.hops().stream()
              .filter(hop -> hop.megabits() == path.bottleneckMegabits())
              .findFirst()
              .orElseThrow();
      double product = path.bottleneckMegabits() * 1e6 / 8 * path.rttSeconds();
      if (path.hops().stream().filter(hop -> hop.megabits() == slow.megabits()).count() == 1) {
        assertThat((double) slow.queueBytes())
            .isBetween(Math.min(15_000, 0.19 * product), Math.max(15_000, 2.1 * product));
      }
    }
  }

  @Test
  void everyKindOccurs() {
    for (int relays = 0; relays <= 3; relays++) {
      int number = relays;
      assertThat(count(path -> path.relays().size() == number)).isBetween(45L, 110L);
    }
    assertThat(count(path -> path.udp() == Udp.FREE)).isBetween(110L, 190L);
    assertThat(count(path -> path.udp() == Udp.BLOCKED)).isBetween(45L, 110L);
    assertThat(count(path -> path.udp() == Udp.POLICED && path.udpMegabits() > 0))
        .isBetween(45L, 110L);
    assertThat(count(path -> path.loss() == 0)).isBetween(45L, 110L);
    assertThat(count(path -> path.loss() > 0 && burst(path) > 1)).isBetween(60L, 150L);
    assertThat(count(path -> slowest(path) == 0)).isPositive();
    assertThat(count(path -> slowest(path) == path.hops().size() - 1)).isPositive();
    assertThat(count(path -> slowest(path) > 0 && slowest(path) < path.hops().size() - 1))
        .isPositive();
    assertThat(count(path -> path.bytes() < 2_000_000)).isPositive();
    assertThat(count(path -> path.bytes() > 100_000_000)).isPositive();
  }

  @Test
  void neighboursHaveNoMoreInCommonThanOthers() {
    long alike =
        IntStream.range(1, MANY.size())
            .filter(i -> MANY.get(i).udp() == MANY.get(i - 1).udp())
            .count();

    // 3/8 of 299 are expected, 112.
    assertThat(alike).isBetween(80L, 145L);
  }

  @Test
  void everyPathIsANetworkWithAnOrchestratorWhereItHasRelays() {
    for (RivalPath path : MANY) {
      Topology topology = path.topology("some");
      assertThat(topology.links()).hasSameSizeAs(path.hops());
      assertThat(topology.orchestrator() == null).isEqualTo(path.relays().isEmpty());
    }
  }

  @Test
  void theDemosPathIsItsTopology() {
    RivalPath demo = RivalPath.demo(20_000_000);

    assertThat(demo.rttSeconds()).isCloseTo(0.16, within(1e-9));
    assertThat(demo.relays()).containsExactly("den", "sea");
    assertThat(demo.topology("wan").links()).isEqualTo(ShippedTopologies.wan().links());
    assertThat(demo.words())
        .isEqualTo(
            "100 Mbit/s at link 1 of 3, 160 ms, 0.50 % loss, queue 0.3 BDP, 2 relays at 25, 50 % of the way");
  }

  private static long count(Predicate<RivalPath> which) {
    return MANY.stream().filter(which).count();
  }

  private static double burst(RivalPath path) {
    return path.hops().stream().mapToDouble(Hop::burst).max().orElse(1);
  }

  private static int slowest(RivalPath path) {
    List<Double> rates =
        Stream.of(path).flatMap(one -> one.hops().stream().map(Hop::megabits)).toList();
    return rates.indexOf(path.bottleneckMegabits());
  }
}
