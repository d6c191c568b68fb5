package io.cascade.model.multipath;

import io.cascade.model.units.Require;
import java.util.Arrays;
import java.util.List;

/**
 * A directed graph whose edges and nodes have capacities.
 *
 * @param nodes number of nodes, which are numbered from 0
 * @param nodeBitsPerSecond capacity of each node to forward, for all paths together; infinite if
 *     unlimited. Source and destination forward nothing.
 * @param edges numbered by their place in the list
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CapacityGraph(
    int nodes, int source, int destination, double[] nodeBitsPerSecond, List<Edge> edges) {

  CapacityGraph {
    edges = List.copyOf(edges);
    if (nodeBitsPerSecond.length != nodes) {
      throw Require.outside("nodeBitsPerSecond", nodeBitsPerSecond.length, nodes + " values");
    }
    nodeBitsPerSecond = Arrays.copyOf(nodeBitsPerSecond, nodes);
    nodeBitsPerSecond[source] = Double.POSITIVE_INFINITY;
    nodeBitsPerSecond[destination] = Double.POSITIVE_INFINITY;
  }

  /** An edge in one direction. */
  record Edge(int from, int to, double bitsPerSecond, double delaySeconds) {}

  /**
   * A path and its flow.
   *
   * @param edges by number, from source to destination
   */
  record Flow(List<Integer> edges, double bitsPerSecond, double delaySeconds) {
    Flow {
      edges = List.copyOf(edges);
    }
  }

  /** The numbers of the edges that leave each node. */
  int[][] edgesFrom() {
    int[] counts = new int[nodes];
    for (Edge edge : edges) {
      counts[edge.from()]++;
    }
    int[][] leaving = new int[nodes][];
    for (int node = 0; node < nodes; node++) {
      leaving[node] = new int[counts[node]];
    }
    for (int i = edges.size() - 1; i >= 0; i--) {
      int from = edges.get(i).from();
      leaving[from][--counts[from]] = i;
    }
    return leaving;
  }
}
