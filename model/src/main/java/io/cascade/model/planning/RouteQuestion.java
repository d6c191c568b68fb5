package io.cascade.model.planning;

import io.cascade.model.cascade.SetupMode;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Request for a plan: the data to be moved, its source and destination, and the limits.
 *
 * @param source node at which the stream enters
 * @param destination node at which it leaves
 * @param bytes length of the transfer; empty for an unlimited stream, planned for its rate
 * @param directControl congestion control of the sender on the direct path
 * @param hopControl congestion control of a cascade's hops
 * @param senderControls controls of nodes that differ from it: a hop has the control of its sender,
 *     which for the first hop is the source
 * @param offers other controls that a relay may use: the planner chooses one if it gains clearly,
 *     see {@link HopSendingChoice}; nodes without an entry keep their own
 * @param coded which hops may be coded, and when
 * @param via the relays to use, in this order; empty leaves the choice to the planner
 * @param avoid relays not to use
 * @param maxRelays the most relays that a chosen route may have; does not apply to {@code via}
 * @param setup how a cascade is opened
 * @param relayDelaySeconds processing delay that a relay adds to every packet
 * @param confidence one-sided, of every bound
 * @param objective quantity by which routes are compared
 * @param limits limits of a route through relays; they apply to the planner's choice, not to {@code
 *     via}
 * @param directPathExists false if the source is known not to reach the destination without relays
 */
public record RouteQuestion(
    String source,
    String destination,
    OptionalLong bytes,
    CongestionControl directControl,
    CongestionControl hopControl,
    Map<String, CongestionControl> senderControls,
    Map<String, Set<CongestionControl>> offers,
    CodedHops coded,
    List<String> via,
    Set<String> avoid,
    int maxRelays,
    SetupMode setup,
    double relayDelaySeconds,
    double confidence,
    Objective objective,
    RouteLimits limits,
    boolean directPathExists) {

  /** One-sided confidence of every bound by default: 95 % of true values lie between the bounds. */
  public static final double CONFIDENCE = 0.975;

  /** Packets on every link. */
  public static final Framing FRAMING = Framing.ETHERNET_1500;

  /** How many connections the parallel direct rival has. */
  static final int PARALLEL_CONNECTIONS = 4;

  private static final int MOST_RELAYS = 16;

  /** Checks that the parts agree. */
  public RouteQuestion {
    senderControls = Map.copyOf(senderControls);
    offers = Map.copyOf(offers);
    via = List.copyOf(via);
    avoid = Set.copyOf(avoid);
    if (source.equals(destination)) {
      throw Require.outside("destination", destination, "another node than the source");
    }
    bytes.ifPresent(value -> Require.atLeast("bytes", value, 1));
    if (via.contains(source)
        || via.contains(destination)
        || new HashSet<>(via).size() < via.size()) {
      throw Require.outside(
          "via", via, "relays between " + source + " and " + destination + ", none of them twice");
    }
    if (!Collections.disjoint(via, avoid)) {
      throw Require.outside("via", via, "none of those to avoid: " + avoid);
    }
    if (maxRelays < 0 || maxRelays > MOST_RELAYS) {
      throw Require.outside("maxRelays", maxRelays, "0.." + MOST_RELAYS);
    }
    Require.notNegative("relayDelaySeconds", relayDelaySeconds);
    if (!(confidence > 0.5 && confidence < 1)) {
      throw Require.outside("confidence", confidence, "between 0.5 and 1, both excluded");
    }
    if (objective == Objective.PRICE && limits.leastBitsPerSecond().isEmpty()) {
      throw Require.outside("objective", objective, "a rate to reach, too");
    }
  }

  /**
   * A request for an unlimited stream, with CUBIC everywhere, up to three relays, warm; to be
   * changed as needed.
   */
  public static Builder between(String source, String destination) {
    return new Builder(source, destination);
  }

  /**
   * Congestion control that a node uses on its hop of a cascade, unless the planner chooses another
   * one.
   */
  public CongestionControl hopControl(String sender) {
    return senderControls.getOrDefault(sender, hopControl);
  }

  /** Collects the parts of a request. */
  public static final class Builder {

    private final String source;
    private final String destination;
    private OptionalLong bytes = OptionalLong.empty();
    private CongestionControl directControl = CongestionControl.CUBIC;
    private CongestionControl hopControl = CongestionControl.CUBIC;
    private final Map<String, CongestionControl> senderControls = new HashMap<>();
    private final Map<String, Set<CongestionControl>> offers = new HashMap<>();
    private CodedHops coded = CodedHops.NONE;
    private List<String> via = List.of();
    private Set<String> avoid = Set.of();
    private int maxRelays = 3;
    private SetupMode setup = SetupMode.WARM;
    private double relayDelaySeconds;
    private double confidence = CONFIDENCE;
    private Objective objective = Objective.TIME;
    private Set<String> allowedSites = Set.of();
    private Set<String> forbiddenSites = Set.of();
    private OptionalDouble mostPricePerGibibyte = OptionalDouble.empty();
    private OptionalDouble mostPricePerHour = OptionalDouble.empty();
    private OptionalDouble leastBitsPerSecond = OptionalDouble.empty();
    private boolean directPathExists = true;

    private Builder(String source, String destination) {
      this.source = source;
      this.destination = destination;
    }

    /** A transfer of this length instead of an unlimited stream. */
    public Builder bytes(long value) {
      bytes = OptionalLong.of(value);
      return this;
    }

    /** Congestion control of the direct path, and of hops whose sender has none of its own. */
    public Builder congestionControl(CongestionControl direct, CongestionControl hops) {
      directControl = direct;
      hopControl = hops;
      return this;
    }

    /**
     * Sets the congestion control that a node, the source or a relay, uses on its hop of a cascade.
     */
    public Builder senderControl(String node, CongestionControl control) {
      senderControls.put(node, control);
      return this;
    }

    /** Congestion controls that a relay may use if it gains clearly. */
    public Builder offer(String relay, Set<CongestionControl> controls) {
      offers.put(relay, Set.copyOf(controls));
      return this;
    }

    /** Sets which hops between relays may be coded. */
    public Builder coded(CodedHops value) {
      coded = value;
      return this;
    }

    /** Sets the relays to use, in this order; an empty list leaves the choice to the planner. */
    public Builder via(List<String> relays) {
      via = relays;
      return this;
    }

    /** Sets the relays not to use. */
    public Builder avoid(Set<String> relays) {
      avoid = relays;
      return this;
    }

    /** Limits the number of relays. */
    public Builder maxRelays(int value) {
      maxRelays = value;
      return this;
    }

    /** Sets how a cascade is opened. */
    public Builder setup(SetupMode value) {
      setup = value;
      return this;
    }

    /** Sets the delay that a relay's processing adds to every packet. */
    public Builder relayDelaySeconds(double value) {
      relayDelaySeconds = value;
      return this;
    }

    /** The one-sided confidence of every bound. */
    public Builder confidence(double value) {
      confidence = value;
      return this;
    }

    /** Sets the quantity by which routes are compared. */
    public Builder objective(Objective value) {
      objective = value;
      return this;
    }

    /** Sites whose relays may be used; an empty set allows all. */
    public Builder allowedSites(Set<String> sites) {
      allowedSites = sites;
      return this;
    }

    /** Sites whose relays may not be used. */
    public Builder forbiddenSites(Set<String> sites) {
      forbiddenSites = sites;
      return this;
    }

    /** Limit of the effective price of a delivered GiB. */
    public Builder mostPricePerGibibyte(double value) {
      mostPricePerGibibyte = OptionalDouble.of(value);
      return this;
    }

    /** Limit of the price of a route's relays together per hour. */
    public Builder mostPricePerHour(double value) {
      mostPricePerHour = OptionalDouble.of(value);
      return this;
    }

    /** Objective of the lowest price at which this goodput is reached. */
    public Builder leastPriceFor(Rate goodput) {
      objective = Objective.PRICE;
      leastBitsPerSecond = OptionalDouble.of(goodput.bitsPerSecond());
      return this;
    }

    /** The source does not reach the destination without relays. */
    public Builder noDirectPath() {
      directPathExists = false;
      return this;
    }

    /** The request. */
    public RouteQuestion build() {
      return new RouteQuestion(
          source,
          destination,
          bytes,
          directControl,
          hopControl,
          senderControls,
          offers,
          coded,
          via,
          avoid,
          maxRelays,
          setup,
          relayDelaySeconds,
          confidence,
          objective,
          new RouteLimits(
              allowedSites,
              forbiddenSites,
              mostPricePerGibibyte,
              mostPricePerHour,
              leastBitsPerSecond),
          directPathExists);
    }
  }
}
