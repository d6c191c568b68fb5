package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The measured links between named nodes: source, destination and relays. Directed; the link from
 * source to destination is the direct path. A link that is missing has not been measured, and no
 * route is planned over it. Relays and links may have terms: a site, a free capacity, prices.
 */
public final class Topology {

  private final Map<String, Map<String, LinkEstimate>> linksFrom;
  private final Map<String, RelayTerms> relayTerms;
  private final Map<String, Map<String, LinkTerms>> linkTerms;
  private @Nullable NumberedTopology numbered;

  private Topology(
      Map<String, Map<String, LinkEstimate>> linksFrom,
      Map<String, RelayTerms> relayTerms,
      Map<String, Map<String, LinkTerms>> linkTerms) {
    this.linksFrom = linksFrom;
    this.relayTerms = relayTerms;
    this.linkTerms = linkTerms;
  }

  /** An empty network to add links to. */
  public static Builder builder() {
    return new Builder();
  }

  /** This topology with numbers, converted at the first call. */
  synchronized NumberedTopology numbered() {
    NumberedTopology made = numbered;
    if (made == null) {
      made = new NumberedTopology(linksFrom);
      numbered = made;
    }
    return made;
  }

  /** The relays that terms were given for. */
  Set<String> relaysWithTerms() {
    return relayTerms.keySet();
  }

  boolean hasLinkTerms() {
    return !linkTerms.isEmpty();
  }

  /** Every node that some link touches, by name. */
  public Set<String> nodes() {
    return linksFrom.keySet();
  }

  /** The link from one node to another, if it was measured. */
  public Optional<LinkEstimate> link(String from, String to) {
    return Optional.ofNullable(linksFrom(from).get(to));
  }

  /** A relay's terms; {@link RelayTerms#FREE} if none were given. */
  public RelayTerms relayTerms(String relay) {
    return relayTerms.getOrDefault(relay, RelayTerms.FREE);
  }

  /** A link's terms; {@link LinkTerms#USUAL} if none were given. */
  public LinkTerms linkTerms(String from, String to) {
    return linkTerms.getOrDefault(from, Map.of()).getOrDefault(to, LinkTerms.USUAL);
  }

  /**
   * Price of a GiB of payload over a link: the link's price, or else that of traffic leaving its
   * start.
   */
  public double pricePerGibibyte(String from, String to) {
    return linkTerms(from, to).pricePerGibibyte().orElse(relayTerms(from).pricePerGibibyte());
  }

  /**
   * This topology without the links over which no rate was ever observed; the same object if there
   * are none.
   */
  Topology seen() {
    Builder seen = builder().termsOf(this);
    boolean[] less = new boolean[1];
    linksFrom.forEach((from, links) ->
        links.forEach((to, link) -> {
          if (link.capacity().isUnseen()) {
            less[0] = true;
          } else {
            seen.link(from, to, link);
          }
        }));
    return less[0] ? seen.build() : this;
  }

  /** The links that leave a node, by the node they lead to. */
  public Map<String, LinkEstimate> linksFrom(String from) {
    return Collections.unmodifiableMap(linksFrom.getOrDefault(from, Map.of()));
  }

  /** Collects links. */
  public static final class Builder {

    private final Map<String, Map<String, LinkEstimate>> linksFrom = new TreeMap<>();
    private final Map<String, RelayTerms> relayTerms = new HashMap<>();
    private final Map<String, Map<String, LinkTerms>> linkTerms = new HashMap<>();

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

    /** Sets the terms on which a relay may be used. */
    public Builder terms(String relay, RelayTerms terms) {
      relayTerms.put(relay, terms);
      return this;
    }

    /** Sets the terms on which a link may be used. */
    public Builder terms(String from, String to, LinkTerms terms) {
      linkTerms.computeIfAbsent(from, _ -> new HashMap<>()).put(to, terms);
      return this;
    }

    /** Takes over all terms of another network. */
    public Builder termsOf(Topology other) {
      relayTerms.putAll(other.relayTerms);
      other.linkTerms.forEach(
          (from, terms) -> linkTerms.computeIfAbsent(from, _ -> new HashMap<>()).putAll(terms));
      return this;
    }

    /** The network as collected so far. */
    public Topology build() {
      Map<String, Map<String, LinkEstimate>> copy = new LinkedHashMap<>();
      linksFrom.forEach((from, links) -> copy.put(from, new LinkedHashMap<>(links)));
      Map<String, Map<String, LinkTerms>> copiedTerms = new HashMap<>();
      linkTerms.forEach((from, terms) -> copiedTerms.put(from, Map.copyOf(terms)));
      return new Topology(copy, Map.copyOf(relayTerms), copiedTerms);
    }
  }
}
