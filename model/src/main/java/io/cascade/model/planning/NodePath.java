package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** The nodes that a stream passes, from source to destination, without repetition. */
public record NodePath(List<String> nodes) {
  /** The link that one hop of a route crosses. */
  public record Link(String from, String to) {
    @Override
    public String toString() {
      return from + "→" + to;
    }
  }

  /** Checks the sequence. */
  public NodePath {
    nodes = List.copyOf(nodes);
    if (nodes.size() < 2 || new HashSet<>(nodes).size() < nodes.size()) {
      throw Require.outside("nodes", nodes, "source, relays, destination, none of them twice");
    }
  }

  /** The nodes between source and destination; empty for the direct path. */
  public List<String> relays() {
    return nodes.subList(1, nodes.size() - 1);
  }

  /** One more than the relays. */
  public int hops() {
    return nodes.size() - 1;
  }

  /** The link of each hop, in order. */
  public List<Link> links() {
    return IntStream.range(1, nodes.size())
        .mapToObj(hop -> new Link(nodes.get(hop - 1), nodes.get(hop)))
        .toList();
  }

  /** Whether the path has no relay. */
  public boolean isDirect() {
    return hops() == 1;
  }

  @Override
  public String toString() {
    return String.join("→", nodes);
  }
}
