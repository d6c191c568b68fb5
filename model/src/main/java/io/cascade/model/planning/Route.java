package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.HashSet;
import java.util.List;

/** The nodes that a stream passes, from source to destination; no node twice. */
public record Route(List<String> nodes) {

  /** Checks the sequence. */
  public Route {
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

  /** Whether it has no relay. */
  public boolean isDirect() {
    return hops() == 1;
  }

  @Override
  public String toString() {
    return String.join("→", nodes);
  }
}
