package io.cascade.contract;

import io.cascade.api.orchestrator.NetworkDescription;
import io.cascade.api.orchestrator.NetworkLink;
import io.cascade.api.orchestrator.NetworkNode;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.LinkTerms;
import io.cascade.model.planning.RelayTerms;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A described network, validated.
 *
 * @param topology the model's network
 * @param controls congestion controls of nodes, where stated
 * @param offers other congestion controls that nodes may be told to use
 */
public record DescribedNetwork(
    Topology topology, Map<String, CongestionControl> controls, Map<String, List<String>> offers) {

  /**
   * Packets that a loss given as a fraction stands for: enough for narrow bounds, since a fraction
   * counts as exact.
   */
  static final long SENT_WHERE_KNOWN = 100_000_000;

  private static final double LONGEST_RTT_MILLIS = 3_600_000;

  /**
   * Validates a description.
   *
   * @param assumedCapacity capacity in bit/s of links that name none; null leaves it unknown
   * @throws IllegalArgumentException such as {@code links[2].lossRate: -0.1 (expected: 0..1)}
   */
  public static DescribedNetwork of(
      NetworkDescription description, @Nullable Long assumedCapacity) {
    Map<String, NetworkNode> nodes = new LinkedHashMap<>();
    Map<String, CongestionControl> controls = new LinkedHashMap<>();
    Map<String, List<String>> offers = new LinkedHashMap<>();
    List<NetworkNode> said = Objects.requireNonNullElse(description.nodes(), List.of());
    for (int i = 0; i < said.size(); i++) {
      String place = "nodes[" + i + "]";
      NetworkNode node = present(place, said.get(i));
      String name = name(place + ".name", node.name());
      positive(place + ".capacityBitsPerSecond", node.capacityBitsPerSecond());
      notNegative(place + ".pricePerGib", node.pricePerGib());
      notNegative(place + ".pricePerHour", node.pricePerHour());
      String control = node.congestionControl();
      if (control != null) {
        controls.put(name, control(place + ".congestionControl", control));
      }
      List<String> offered = node.congestionControls();
      if (offered != null) {
        offered.forEach(one -> control(place + ".congestionControls", one));
        offers.put(name, List.copyOf(offered));
      }
      if (nodes.put(name, node) != null) {
        throw wrong(place + ".name", name, "each node once");
      }
    }
    List<NetworkLink> links = present("links", description.links());
    if (links.isEmpty()) {
      throw wrong("links", "[]", "at least one link");
    }
    Topology.Builder topology = Topology.builder();
    for (int i = 0; i < links.size(); i++) {
      String place = "links[" + i + "]";
      add(topology, place, present(place, links.get(i)), nodes, assumedCapacity);
    }
    nodes.forEach((name, node) -> topology.terms(name, terms(node)));
    return new DescribedNetwork(topology.build(), Map.copyOf(controls), Map.copyOf(offers));
  }

  /**
   * Refuses a name that is not the end of any link.
   *
   * @param option option that named it, for the message
   */
  public void require(String option, String node) {
    if (!topology.nodes().contains(node)) {
      throw wrong(option, node, "one of " + String.join(", ", new TreeSet<>(topology.nodes())));
    }
  }

  static CongestionControl control(String place, String name) {
    return CongestionControl.named(name)
        .orElseThrow(() -> wrong(place, name, "reno, cubic, bbr or bbr3"));
  }

  private static RelayTerms terms(NetworkNode node) {
    RelayTerms terms =
        RelayTerms.FREE.withPrices(
            Objects.requireNonNullElse(node.pricePerHour(), 0.0),
            Objects.requireNonNullElse(node.pricePerGib(), 0.0));
    String site = node.site();
    Double capacity = node.capacityBitsPerSecond();
    terms = site == null ? terms : terms.at(site);
    return capacity == null ? terms : terms.withFree(capacity);
  }

  private static void add(
      Topology.Builder topology,
      String place,
      NetworkLink link,
      Map<String, NetworkNode> nodes,
      @Nullable Long assumedCapacity) {
    String from = end(place + ".from", link.from(), nodes);
    String to = end(place + ".to", link.to(), nodes);
    if (from.equals(to)) {
      throw wrong(place + ".to", to, "another node than from");
    }
    Double rtt = present(place + ".rttMillis", link.rttMillis());
    if (!(rtt > 0 && rtt <= LONGEST_RTT_MILLIS)) {
      throw wrong(place + ".rttMillis", rtt, "> 0 and at most an hour");
    }
    positive(place + ".capacityBitsPerSecond", link.capacityBitsPerSecond());
    notNegative(place + ".pricePerGib", link.pricePerGib());
    LinkEstimate estimate =
        LinkEstimate.of(
            Duration.ofNanos(Math.max(1_000, Math.round(rtt * 1e6))), loss(place, link));
    Double capacity = link.capacityBitsPerSecond();
    if (capacity != null) {
      estimate = estimate.withCapacity(new Rate(capacity));
    } else if (assumedCapacity != null) {
      estimate = estimate.withCapacity(new Rate(assumedCapacity));
    }
    try {
      add(topology, from, to, estimate, link.pricePerGib());
      if (Boolean.TRUE.equals(link.bothDirections())) {
        add(topology, to, from, estimate, link.pricePerGib());
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          place
              + ": "
              + from
              + "→"
              + to
              + " (expected: one link per direction; is another of bothDirections?)",
          e);
    }
  }

  private static void add(
      Topology.Builder topology,
      String from,
      String to,
      LinkEstimate estimate,
      @Nullable Double pricePerGib) {
    topology.link(from, to, estimate);
    if (pricePerGib != null) {
      topology.terms(from, to, LinkTerms.USUAL.withPrice(pricePerGib));
    }
  }

  /** Checks a link's end: if nodes are listed, it must be one of them. */
  private static String end(String place, @Nullable String name, Map<String, NetworkNode> nodes) {
    String checked = name(place, name);
    if (!nodes.isEmpty() && !nodes.containsKey(checked)) {
      throw wrong(place, checked, "one of nodes: " + String.join(", ", nodes.keySet()));
    }
    return checked;
  }

  private static LossEstimate loss(String place, NetworkLink link) {
    Double rate = link.lossRate();
    Long lost = link.lost();
    Long sent = link.sent();
    if (rate != null) {
      if (lost != null || sent != null) {
        throw wrong(place + ".lossRate", rate, "either lossRate, or lost and sent");
      }
      if (!(rate >= 0 && rate <= 1)) {
        throw wrong(place + ".lossRate", rate, "0..1; 0.001 is 0.1 %");
      }
      return new LossEstimate(Math.round(rate * SENT_WHERE_KNOWN), SENT_WHERE_KNOWN);
    }
    if (lost == null || sent == null) {
      throw new IllegalArgumentException(
          place
              + ": no loss (expected: lossRate, or lost and sent, as \"lost\": 3, \"sent\": 1000)");
    }
    if (sent < 1) {
      throw wrong(place + ".sent", sent, ">= 1");
    }
    if (lost < 0 || lost > sent) {
      throw wrong(place + ".lost", lost, "0.." + sent);
    }
    return new LossEstimate(lost, sent);
  }

  private static String name(String place, @Nullable String name) {
    String given = present(place, name);
    if (given.isBlank() || given.length() > 63 || given.indexOf(',') >= 0) {
      throw wrong(place, "\"" + given + "\"", "a name of 1 to 63 characters without commas");
    }
    return given;
  }

  private static void positive(String place, @Nullable Double value) {
    if (value != null && !(value > 0 && Double.isFinite(value))) {
      throw wrong(place, value, "> 0, or left out where unknown");
    }
  }

  private static void notNegative(String place, @Nullable Double value) {
    if (value != null && !(value >= 0 && Double.isFinite(value))) {
      throw wrong(place, value, ">= 0");
    }
  }

  private static <T> T present(String place, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(place + ": missing (expected: a value)");
    }
    return value;
  }

  private static IllegalArgumentException wrong(String place, Object value, String expected) {
    return new IllegalArgumentException(place + ": " + value + " (expected: " + expected + ")");
  }
}
