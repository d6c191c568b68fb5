package io.cascade.model.multipath;

import io.cascade.model.units.Require;
import java.util.Arrays;
import java.util.List;

/**
 * A directed graph whose edges and nodes carry no more than so much.
 *
 * @param nodes how many; they are numbered from 0
 * @param nodeBitsPerSecond what each node forwards at most, all paths together; infinite where
 *     nothing limits it. Source and destination forward nothing.
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

  /** One direction from node to node. */
  record Edge(int from, int to, double bitsPerSecond, double delaySeconds) {}

  /**
   * A path and what flows over it.
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
