package io.cascade.model.multipath;

import io.cascade.model.multipath.CapacityGraph.Edge;
import io.cascade.model.multipath.CapacityGraph.Flow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Paths one after the other, each the quickest in the capacity of links and relays that the paths
 * before it have left.
 *
 * <p>Each path is exact for its bound (the quickest-path problem of Chen and Chin, solved by
 * settling (delay, rate) labels in the order of their delays). The sequence is not optimal, but if
 * only a few paths are allowed it often beats the best few of an optimal flow, whose paths may be
 * many and thin.
 */
final class QuickestPaths {

  private static final double NEGLIGIBLE = 1e-9;

  private final CapacityGraph graph;
  private final int[][] leaving;
  private final double[] left;
  private final double[] nodeLeft;
  private final double[] highestRate;
  private final int mostEdges;

  private QuickestPaths(CapacityGraph graph, int mostEdges) {
    this.graph = graph;
    this.mostEdges = mostEdges;
    leaving = graph.edgesFrom();
    left = graph.edges().stream().mapToDouble(Edge::bitsPerSecond).toArray();
    nodeLeft = graph.nodeBitsPerSecond().clone();
    highestRate = new double[graph.nodes() * (mostEdges + 1)];
  }

  /**
   * Finds at most {@code count} paths of at most {@code mostEdges} edges.
   *
   * @param bits to be moved over each; infinite finds the widest path, among equals the shortest
   */
  static List<Flow> of(CapacityGraph graph, double bits, int count, int mostEdges) {
    QuickestPaths search = new QuickestPaths(graph, mostEdges);
    double widest =
        graph.edges().stream().mapToDouble(Edge::bitsPerSecond).max().orElse(0) * NEGLIGIBLE;
    List<Flow> paths = new ArrayList<>();
    while (paths.size() < count) {
      Label best = search.quickest(bits, widest);
      if (best == null) {
        break;
      }
      paths.add(search.take(best));
    }
    return paths;
  }

  /** A way from the source: its last edge and the label before it. */
  private record Label(
      int node, double delay, double rate, int edges, int by, @Nullable Label before) {

    static final Comparator<Label> NEAREST =
        Comparator.comparingDouble(Label::delay)
            .thenComparing(Comparator.comparingDouble(Label::rate).reversed())
            .thenComparingInt(Label::edges);
  }

  private @Nullable Label quickest(double bits, double negligible) {
    Arrays.fill(highestRate, 0);
    PriorityQueue<Label> open = new PriorityQueue<>(Label.NEAREST);
    open.add(new Label(graph.source(), 0, Double.POSITIVE_INFINITY, 0, -1, null));
    Label best = null;
    while (!open.isEmpty()) {
      Label label = open.remove();
      if (!settle(label)) {
        continue;
      }
      if (label.node() == graph.destination()) {
        if (best == null || better(label, best, bits)) {
          best = label;
        }
        continue;
      }
      if (label.edges() == mostEdges) {
        continue;
      }
      for (int number : leaving[label.node()]) {
        Edge edge = graph.edges().get(number);
        double rate = Math.min(label.rate(), Math.min(left[number], nodeLeft[edge.to()]));
        if (rate > negligible) {
          open.add(
              new Label(
                  edge.to(),
                  label.delay() + edge.delaySeconds(),
                  rate,
                  label.edges() + 1,
                  number,
                  label));
        }
      }
    }
    return best;
  }

  /**
   * Settles a label unless an earlier one at the node is at least as fast with no more edges;
   * labels come in the order of their delays.
   */
  private boolean settle(Label label) {
    int base = label.node() * (mostEdges + 1);
    if (label.rate() <= highestRate[base + label.edges()]) {
      return false;
    }
    for (int edges = label.edges(); edges <= mostEdges; edges++) {
      highestRate[base + edges] = Math.max(highestRate[base + edges], label.rate());
    }
    return true;
  }

  private static boolean better(Label one, Label other, double bits) {
    return Double.isInfinite(bits)
        ? one.rate() > other.rate()
        : one.delay() + bits / one.rate() < other.delay() + bits / other.rate();
  }

  private Flow take(Label end) {
    List<Integer> path = new ArrayList<>();
    for (Label at = end; at.before() != null; at = at.before()) {
      path.addFirst(at.by());
      left[at.by()] -= end.rate();
      nodeLeft[at.node()] -= end.rate();
    }
    return new Flow(path, end.rate(), end.delay());
  }
}
