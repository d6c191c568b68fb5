package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The measured links between named nodes: source, destination and relays. Directed; the link from
 * source to destination is the direct path. A link that is not here has not been measured and no
 * route is planned over it.
 */
public final class Topology {

  private final Map<String, Map<String, LinkEstimate>> linksFrom;

  private Topology(Map<String, Map<String, LinkEstimate>> linksFrom) {
    this.linksFrom = linksFrom;
  }

  /** An empty network to add links to. */
  public static Builder builder() {
    return new Builder();
  }

  /** Every node that some link touches, by name. */
  public Set<String> nodes() {
    return linksFrom.keySet();
  }

  /** The link from one node to another, if it was measured. */
  public Optional<LinkEstimate> link(String from, String to) {
    return Optional.ofNullable(linksFrom(from).get(to));
  }

  /** The links that leave a node, by the node they lead to. */
  Map<String, LinkEstimate> linksFrom(String from) {
    return linksFrom.getOrDefault(from, Map.of());
  }

  /** Collects links. */
  public static final class Builder {

    private final Map<String, Map<String, LinkEstimate>> linksFrom = new TreeMap<>();

    private Builder() {}

    /** Adds a link in one direction. */
    public Builder link(String from, String to, LinkEstimate estimate) {
      if (from.equals(to)) {
        throw Require.outside("link", from + "→" + to, "two different nodes");
      }
      if (linksFrom.computeIfAbsent(from, _ -> new TreeMap<>()).put(to, estimate) != null) {
        throw Require.outside("link", from + "→" + to, "one estimate per ordered pair");
      }
      linksFrom.computeIfAbsent(to, _ -> new TreeMap<>());
      return this;
    }

    /** Adds the same estimate in both directions. */
    public Builder links(String one, String other, LinkEstimate estimate) {
      return link(one, other, estimate).link(other, one, estimate);
    }

    /** The network as collected so far. */
    public Topology build() {
      Map<String, Map<String, LinkEstimate>> copy = new LinkedHashMap<>();
      linksFrom.forEach((from, links) -> copy.put(from, new LinkedHashMap<>(links)));
      return new Topology(copy);
    }
  }
}
