package io.cascade.model.routing;

/**
 * Adjacency in compressed rows: the links that leave node n are those numbered from {@code
 * first(n)} up to, but not including, {@code first(n + 1)}.
 */
public final class LinkGraph {

  private final int[] offsets;
  private final int[] targets;

  /**
   * @param offsets one more than there are nodes, ascending, from 0 to the number of links
   * @param targets the node that each link leads to
   */
  public LinkGraph(int[] offsets, int[] targets) {
    this.offsets = offsets.clone();
    this.targets = targets.clone();
  }

  /** Number of nodes. */
  public int nodes() {
    return offsets.length - 1;
  }

  /** Number of links. */
  public int links() {
    return targets.length;
  }

  /** The first link that leaves a node; of the node after the last, the number of links. */
  public int first(int node) {
    return offsets[node];
  }

  /** The node that a link leads to. */
  public int target(int link) {
    return targets[link];
  }
}
