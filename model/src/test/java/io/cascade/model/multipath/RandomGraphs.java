package io.cascade.model.multipath;

import io.cascade.model.multipath.CapacityGraph.Edge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Small graphs from a seed, and what trying everything finds in them. Source 0, destination 1. */
final class RandomGraphs {

  private RandomGraphs() {}

  /** Up to four nodes between; capacities are whole numbers, so a best flow is whole, too. */
  static CapacityGraph graph(long seed) {
    Random random = new Random(seed);
    int nodes = 2 + 1 + random.nextInt(4);
    double[] capacity = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      capacity[node] = random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : 1 + random.nextInt(4);
    }
    List<Edge> edges = new ArrayList<>();
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        boolean useful = from != to && from != 1 && to != 0;
        if (useful && random.nextInt(3) > 0) {
          edges.add(new Edge(from, to, 1 + random.nextInt(3), 1 + random.nextInt(9)));
        }
      }
    }
    return new CapacityGraph(nodes, 0, 1, capacity, edges);
  }

  /** Every path without a node twice. */
  static List<List<Integer>> paths(CapacityGraph graph) {
    List<List<Integer>> paths = new ArrayList<>();
    extend(graph, graph.source(), new ArrayList<>(), new boolean[graph.nodes()], paths);
    return paths;
  }

  private static void extend(
      CapacityGraph graph,
      int node,
      List<Integer> edges,
      boolean[] passed,
      List<List<Integer>> paths) {
    if (node == graph.destination()) {
      paths.add(List.copyOf(edges));
      return;
    }
    passed[node] = true;
    for (int number = 0; number < graph.edges().size(); number++) {
      Edge edge = graph.edges().get(number);
      if (edge.from() == node && !passed[edge.to()]) {
        edges.add(number);
        extend(graph, edge.to(), edges, passed, paths);
        edges.removeLast();
      }
    }
    passed[node] = false;
  }

  static double delay(CapacityGraph graph, List<Integer> path) {
    return path.stream().mapToDouble(edge -> graph.edges().get(edge).delaySeconds()).sum();
  }

  static double width(CapacityGraph graph, List<Integer> path) {
    return path.stream()
        .map(graph.edges()::get)
        .mapToDouble(edge -> Math.min(edge.bitsPerSecond(), graph.nodeBitsPerSecond()[edge.to()]))
        .min()
        .orElseThrow();
  }

  /** The least capacity of any set of edges and nodes whose loss parts the ends. */
  static double leastCut(CapacityGraph graph) {
    double least = Double.POSITIVE_INFINITY;
    // Each node in between: wholly on the source's side, wholly on the other, or cut through.
    int between = graph.nodes() - 2;
    for (int code = 0; code < Math.pow(3, between); code++) {
      int[] side = new int[graph.nodes()];
      side[1] = 2;
      double cut = 0;
      int rest = code;
      for (int node = 2; node < graph.nodes(); node++) {
        side[node] = rest % 3;
        rest /= 3;
        cut += side[node] == 1 ? graph.nodeBitsPerSecond()[node] : 0;
      }
      for (Edge edge : graph.edges()) {
        boolean startsNear = side[edge.from()] == 0;
        boolean endsFar = side[edge.to()] == 2;
        cut += startsNear && endsFar ? edge.bitsPerSecond() : 0;
      }
      least = Math.min(least, cut);
    }
    return least;
  }

  /** The soonest that any whole flow has {@code bits} there. */
  static double soonest(CapacityGraph graph, double bits) {
    List<List<Integer>> paths = paths(graph);
    double[] left = graph.edges().stream().mapToDouble(Edge::bitsPerSecond).toArray();
    double[] nodeLeft = Arrays.copyOf(graph.nodeBitsPerSecond(), graph.nodes());
    return soonest(graph, bits, paths, 0, left, nodeLeft, 0, 0);
  }

  private static double soonest(
      CapacityGraph graph,
      double bits,
      List<List<Integer>> paths,
      int index,
      double[] left,
      double[] nodeLeft,
      double value,
      double weighted) {
    if (index == paths.size()) {
      return value == 0 ? Double.POSITIVE_INFINITY : (bits + weighted) / value;
    }
    double best = Double.POSITIVE_INFINITY;
    List<Integer> path = paths.get(index);
    double most = Double.POSITIVE_INFINITY;
    for (int edge : path) {
      most = Math.min(most, Math.min(left[edge], nodeLeft[graph.edges().get(edge).to()]));
    }
    for (int flow = 0; flow <= most; flow++) {
      take(graph, path, left, nodeLeft, flow);
      best =
          Math.min(
              best,
              soonest(
                  graph,
                  bits,
                  paths,
                  index + 1,
                  left,
                  nodeLeft,
                  value + flow,
                  weighted + flow * delay(graph, path)));
      take(graph, path, left, nodeLeft, -flow);
    }
    return best;
  }

  private static void take(
      CapacityGraph graph, List<Integer> path, double[] left, double[] nodeLeft, double flow) {
    for (int edge : path) {
      left[edge] -= flow;
      nodeLeft[graph.edges().get(edge).to()] -= flow;
    }
  }
}
