package io.cascade.model.multipath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.multipath.CapacityGraph.Edge;
import io.cascade.model.multipath.CapacityGraph.Flow;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flows and paths against whatever trying everything finds. */
class FlowTest {

  @ParameterizedTest
  @MethodSource("seeds")
  void aStreamGetsAllThatTheNarrowestCutLetsThrough(long seed) {
    CapacityGraph graph = RandomGraphs.graph(seed);

    List<Flow> flow = QuickestFlow.of(graph, Double.POSITIVE_INFINITY);

    assertThat(value(flow)).isEqualTo(RandomGraphs.leastCut(graph), within(1e-6));
    assertKeepsToCapacities(graph, flow);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noOtherFlowHasATransferThereSooner(long seed) {
    CapacityGraph graph = RandomGraphs.graph(seed);
    double bits = 1 + seed % 60;

    List<Flow> flow = QuickestFlow.of(graph, bits);

    assertThat(finish(flow, bits)).isEqualTo(RandomGraphs.soonest(graph, bits), within(1e-6));
    assertKeepsToCapacities(graph, flow);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theFirstOfThePathsOneByOneIsTheQuickest(long seed) {
    CapacityGraph graph = RandomGraphs.graph(seed);
    double bits = 1 + seed % 60;
    int mostEdges = 1 + (int) (seed % 4);
    double quickest =
        RandomGraphs.paths(graph).stream()
            .filter(path -> path.size() <= mostEdges)
            .mapToDouble(
                path -> RandomGraphs.delay(graph, path) + bits / RandomGraphs.width(graph, path))
            .min()
            .orElse(Double.POSITIVE_INFINITY);

    List<Flow> paths = QuickestPaths.of(graph, bits, 3, mostEdges);

    assertThat(paths.isEmpty() ? Double.POSITIVE_INFINITY : finish(paths.subList(0, 1), bits))
        .isEqualTo(quickest, within(1e-9));
    assertThat(paths)
        .allSatisfy(path -> assertThat(path.edges()).hasSizeLessThanOrEqualTo(mostEdges));
    assertKeepsToCapacities(graph, paths);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theFirstPathOfAStreamIsTheWidest(long seed) {
    CapacityGraph graph = RandomGraphs.graph(seed);
    List<Flow> paths = QuickestPaths.of(graph, Double.POSITIVE_INFINITY, 1, 5);

    double widest =
        RandomGraphs.paths(graph).stream()
            .mapToDouble(path -> RandomGraphs.width(graph, path))
            .max()
            .orElse(0);

    assertThat(value(paths)).isEqualTo(widest);
  }

  @Test
  void aSharedRelayForwardsForAllPathsTogether() {
    // Two ways into the relay and two out of it: only the relay itself is narrow.
    CapacityGraph graph =
        new CapacityGraph(
            5,
            0,
            1,
            new double[] {9, 9, 9, 9, 3},
            List.of(
                new Edge(0, 2, 5, 1),
                new Edge(0, 4, 5, 1),
                new Edge(2, 4, 5, 1),
                new Edge(4, 1, 9, 1)));

    assertThat(value(QuickestFlow.of(graph, Double.POSITIVE_INFINITY))).isEqualTo(3);
  }

  @Test
  void takesBackWhatAnEarlierPathHadInTheWay() {
    // The shortest path 0-2-3-1 blocks both 0-2-1 and 0-3-1; together these carry twice as much.
    CapacityGraph graph =
        new CapacityGraph(
            4,
            0,
            1,
            new double[] {9, 9, 9, 9},
            List.of(
                new Edge(0, 2, 1, 1),
                new Edge(2, 3, 1, 1),
                new Edge(3, 1, 1, 1),
                new Edge(0, 3, 1, 5),
                new Edge(2, 1, 1, 5)));

    List<Flow> flow = QuickestFlow.of(graph, 100);

    assertThat(flow)
        .extracting(Flow::edges)
        .containsExactlyInAnyOrder(List.of(0, 4), List.of(3, 2));
  }

  private static double value(List<Flow> flow) {
    return flow.stream().mapToDouble(Flow::bitsPerSecond).sum();
  }

  private static double finish(List<Flow> flow, double bits) {
    double weighted =
        flow.stream().mapToDouble(path -> path.bitsPerSecond() * path.delaySeconds()).sum();
    return flow.isEmpty() ? Double.POSITIVE_INFINITY : (bits + weighted) / value(flow);
  }

  private static void assertKeepsToCapacities(CapacityGraph graph, List<Flow> flow) {
    double[] used = new double[graph.edges().size()];
    double[] forwarded = new double[graph.nodes()];
    for (Flow path : flow) {
      int at = graph.source();
      for (int number : path.edges()) {
        Edge edge = graph.edges().get(number);
        assertThat(edge.from()).isEqualTo(at);
        at = edge.to();
        used[number] += path.bitsPerSecond();
        forwarded[at] += path.bitsPerSecond();
      }
      assertThat(at).isEqualTo(graph.destination());
    }
    for (int i = 0; i < used.length; i++) {
      assertThat(used[i]).isLessThanOrEqualTo(graph.edges().get(i).bitsPerSecond() + 1e-9);
    }
    for (int node = 0; node < forwarded.length; node++) {
      assertThat(forwarded[node]).isLessThanOrEqualTo(graph.nodeBitsPerSecond()[node] + 1e-9);
    }
    assertThat(flow).allSatisfy(path -> assertThat(path.bitsPerSecond()).isPositive());
  }

  static List<Long> seeds() {
    return LongStream.range(0, 300).boxed().toList();
  }
}
