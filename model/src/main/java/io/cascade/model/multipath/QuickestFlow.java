package io.cascade.model.multipath;

import io.cascade.model.multipath.CapacityGraph.Edge;
import io.cascade.model.multipath.CapacityGraph.Flow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The flow that delivers a given amount to the destination soonest.
 *
 * <p>The last bit of a flow of value F over paths with rates x and delays L arrives at
 *
 * <pre>
 * T = (bits + Σ xⱼ·Lⱼ) / F
 * </pre>
 *
 * <p>so among all flows of one value the one with the least Σ x·L is best, and the value grows as
 * long as the next path's delay is below T: Burkard, Dlaska and Klinz, "The quickest flow problem"
 * (ZOR 37, 1993). Flows of least Σ x·L come from augmenting along shortest residual paths (Ahuja,
 * Magnanti and Orlin, "Network Flows", chapter 9). For an unlimited stream T never limits, and the
 * flow is the maximum one.
 *
 * <p>A node's capacity is that of an edge between its two halves, the one where edges end and the
 * one where they start.
 */
final class QuickestFlow {

  /**
   * Share of the widest edge below which a flow counts as none, so that rounding errors do not
   * become paths.
   */
  private static final double NEGLIGIBLE = 1e-9;

  private static final int MOST_AUGMENTATIONS = 2_000;

  private final CapacityGraph graph;
  private final double[] residual;
  private final double[] delay;
  private final int[] head;
  private final int[][] arcsFrom;
  private final double[] potential;
  private final double negligible;

  private QuickestFlow(CapacityGraph graph) {
    this.graph = graph;
    int arcs = 2 * (graph.edges().size() + graph.nodes());
    residual = new double[arcs];
    delay = new double[arcs];
    head = new int[arcs];
    potential = new double[2 * graph.nodes()];
    double widest = 0;
    for (int i = 0; i < graph.edges().size(); i++) {
      Edge edge = graph.edges().get(i);
      arc(2 * i, start(edge.from()), end(edge.to()), edge.bitsPerSecond(), edge.delaySeconds());
      widest = Math.max(widest, edge.bitsPerSecond());
    }
    for (int node = 0; node < graph.nodes(); node++) {
      arc(
          2 * (graph.edges().size() + node),
          end(node),
          start(node),
          graph.nodeBitsPerSecond()[node],
          0);
    }
    negligible = widest * NEGLIGIBLE;
    arcsFrom = arcsFrom();
  }

  /**
   * The flow as paths, the earliest first.
   *
   * @param bits to be moved; infinite for an unlimited stream
   */
  static List<Flow> of(CapacityGraph graph, double bits) {
    QuickestFlow flow = new QuickestFlow(graph);
    flow.augment(bits);
    return flow.paths();
  }

  private int end(int node) {
    return 2 * node;
  }

  private int start(int node) {
    return 2 * node + 1;
  }

  /** Adds an arc and, under the next number, its residual arc. */
  private void arc(int number, int from, int to, double bitsPerSecond, double seconds) {
    residual[number] = bitsPerSecond;
    delay[number] = seconds;
    head[number] = to;
    delay[number + 1] = -seconds;
    head[number + 1] = from;
  }

  private int[][] arcsFrom() {
    int[] counts = new int[potential.length];
    for (int arc = 0; arc < head.length; arc++) {
      counts[head[arc ^ 1]]++;
    }
    int[][] from = new int[potential.length][];
    for (int node = 0; node < from.length; node++) {
      from[node] = new int[counts[node]];
    }
    for (int arc = head.length - 1; arc >= 0; arc--) {
      int tail = head[arc ^ 1];
      from[tail][--counts[tail]] = arc;
    }
    return from;
  }

  private void augment(double bits) {
    int source = start(graph.source());
    int sink = end(graph.destination());
    double value = 0;
    double weighted = 0;
    double finish = Double.POSITIVE_INFINITY;
    int[] by = new int[potential.length];
    for (int round = 0; round < MOST_AUGMENTATIONS && shortest(source, sink, by); round++) {
      double length = potential[sink] - potential[source];
      if (length >= finish) {
        return;
      }
      double width = Double.POSITIVE_INFINITY;
      for (int at = sink; at != source; at = head[by[at] ^ 1]) {
        width = Math.min(width, residual[by[at]]);
      }
      for (int at = sink; at != source; at = head[by[at] ^ 1]) {
        residual[by[at]] -= width;
        residual[by[at] ^ 1] += width;
      }
      value += width;
      weighted += width * length;
      finish = (bits + weighted) / value;
    }
  }

  /**
   * Dijkstra on reduced delays, which the potentials keep non-negative; of equally short ways the
   * one with the fewest arcs, so that no augmentation needlessly undoes another.
   */
  private boolean shortest(int source, int sink, int[] by) {
    double[] distance = new double[potential.length];
    int[] arcs = new int[potential.length];
    boolean[] settled = new boolean[potential.length];
    Arrays.fill(distance, Double.POSITIVE_INFINITY);
    distance[source] = 0;
    PriorityQueue<Label> open = new PriorityQueue<>(Label.NEAREST);
    open.add(new Label(source, 0, 0));
    while (!open.isEmpty()) {
      Label nearest = open.remove();
      if (settled[nearest.node()]) {
        continue;
      }
      settled[nearest.node()] = true;
      for (int arc : arcsFrom[nearest.node()]) {
        int to = head[arc];
        if (residual[arc] <= negligible || settled[to]) {
          continue;
        }
        double reduced = Math.max(0, delay[arc] + potential[nearest.node()] - potential[to]);
        double reached = nearest.distance() + reduced;
        int steps = nearest.arcs() + 1;
        if (reached < distance[to] || (reached == distance[to] && steps < arcs[to])) {
          distance[to] = reached;
          arcs[to] = steps;
          by[to] = arc;
          open.add(new Label(to, reached, steps));
        }
      }
    }
    if (Double.isInfinite(distance[sink])) {
      return false;
    }
    for (int node = 0; node < potential.length; node++) {
      potential[node] += Math.min(distance[node], distance[sink]);
    }
    return true;
  }

  private record Label(int node, double distance, int arcs) {
    static final Comparator<Label> NEAREST =
        Comparator.comparingDouble(Label::distance).thenComparingInt(Label::arcs);
  }

  /** Decomposes the flow along the shortest of the remaining paths. */
  private List<Flow> paths() {
    List<Edge> edges = graph.edges();
    double[] flow = new double[edges.size()];
    for (int i = 0; i < flow.length; i++) {
      flow[i] = residual[2 * i + 1];
    }
    int[][] leaving = graph.edgesFrom();
    List<Flow> paths = new ArrayList<>();
    while (true) {
      List<Integer> path = shortestWithin(flow, leaving);
      if (path.isEmpty()) {
        return paths;
      }
      double width = Double.POSITIVE_INFINITY;
      double length = 0;
      for (int edge : path) {
        width = Math.min(width, flow[edge]);
        length += edges.get(edge).delaySeconds();
      }
      for (int edge : path) {
        flow[edge] -= width;
      }
      paths.add(new Flow(path, width, length));
    }
  }

  private List<Integer> shortestWithin(double[] flow, int[][] leaving) {
    int[] by = new int[graph.nodes()];
    boolean[] settled = new boolean[graph.nodes()];
    double[] distance = new double[graph.nodes()];
    Arrays.fill(distance, Double.POSITIVE_INFINITY);
    distance[graph.source()] = 0;
    PriorityQueue<Label> open = new PriorityQueue<>(Label.NEAREST);
    open.add(new Label(graph.source(), 0, 0));
    while (!open.isEmpty()) {
      Label nearest = open.remove();
      if (nearest.node() == graph.destination()) {
        List<Integer> path = new ArrayList<>();
        for (int at = nearest.node(); at != graph.source(); ) {
          path.addFirst(by[at]);
          at = graph.edges().get(by[at]).from();
        }
        return path;
      }
      if (settled[nearest.node()]) {
        continue;
      }
      settled[nearest.node()] = true;
      for (int edge : leaving[nearest.node()]) {
        int to = graph.edges().get(edge).to();
        double reached = nearest.distance() + graph.edges().get(edge).delaySeconds();
        if (flow[edge] > negligible && !settled[to] && reached < distance[to]) {
          distance[to] = reached;
          by[to] = edge;
          open.add(new Label(to, reached, nearest.arcs() + 1));
        }
      }
    }
    return List.of();
  }
}
