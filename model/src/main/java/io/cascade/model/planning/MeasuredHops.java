package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.uncertainty.Normal;
import io.cascade.model.units.Rate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Makes hops of what was measured and of what terms leave free.
 *
 * <p>A hop of a cascade carries no more than its link has left and the relays at its ends can still
 * forward. Of a link's {@linkplain Capacity capacity} a rate that was seen is what it is likely to
 * carry and carries at the least; at the optimistic end nothing bounds it but what a like
 * {@linkplain AchievedRate transfer} has achieved. The capacity of a cascade's link of which
 * nothing was said or seen is taken to be the direct path's, where that is known, and at the
 * optimistic end as unlimited: a cascade must not win because nobody measured what its links carry.
 *
 * <p>Where a transfer with the same congestion control was seen to fill a link, its losses do not
 * keep the next one from that: they count no higher than the rate at capacity allows.
 *
 * <p>A hop has no more under way than the socket buffers at its ends hold. How much of a buffer is
 * data depends on packets and drivers; a cascade is likely to get half, and at the optimistic end
 * all of it.
 *
 * <p>Not for use by several threads: remembers bounds of losses.
 */
public final class MeasuredHops {

  /**
   * Socket buffer over the data that it holds: at least half is data; the rest is what the kernel
   * keeps about it.
   */
  private static final int BUFFER_PER_DATA = 2;

  /** Share of a capacity that a transfer has which fills it. */
  private static final double FILLED = 0.9;

  private final Topology topology;
  private final RouteQuestion request;
  private final OptionalDouble directCapacity;
  private final double deviations;
  private final HopSendingChoice controls;
  private final Map<LossEstimate, Double> optimistic = new HashMap<>();
  private final Map<LossEstimate, Double> pessimistic = new HashMap<>();

  /** Takes the links of a topology, under the terms of a request. */
  public MeasuredHops(Topology topology, RouteQuestion request) {
    this.topology = topology;
    this.request = request;
    this.deviations = Normal.quantile(request.confidence());
    this.controls = new HopSendingChoice(request, this);
    this.directCapacity =
        topology
            .link(request.source(), request.destination())
            .map(link -> link.capacity().known())
            .orElse(OptionalDouble.empty());
  }

  /** The direct path's capacity, which stands for those nobody measured. */
  OptionalDouble directCapacity() {
    return directCapacity;
  }

  /** Rate that is left of a hop's link and of the relays at its ends; 0 where nothing is. */
  OptionalDouble free(String from, String to) {
    double share = RouteQuestion.FRAMING.payloadShare();
    double free = topology.linkTerms(from, to).freeBitsPerSecond().orElse(Double.POSITIVE_INFINITY);
    free = Math.min(free, freeOfRelay(from) / share);
    free = Math.min(free, freeOfRelay(to) / share);
    return Double.isInfinite(free) ? OptionalDouble.empty() : OptionalDouble.of(free);
  }

  private double freeOfRelay(String node) {
    boolean end = node.equals(request.source()) || node.equals(request.destination());
    return end
        ? Double.POSITIVE_INFINITY
        : topology.relayTerms(node).freeBitsPerSecond().orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * The hop that a connection over a link is likely to be, were it alone there: the direct path's
   * own congestion control where the link is the direct path.
   *
   * @throws java.util.NoSuchElementException where nothing is known of the link
   */
  public Hop alone(String from, String to) {
    LinkEstimate link = topology.link(from, to).orElseThrow();
    boolean direct = from.equals(request.source()) && to.equals(request.destination());
    return direct
        ? hop(link, request.directControl(), LossLevel.LIKELY)
        : ofLink(from, to, link, LossLevel.LIKELY);
  }

  /** A connection on the direct path, one of several that share its capacity. */
  Hop direct(LinkEstimate link, CongestionControl control, int connections, LossLevel level) {
    Hop hop = hop(link, control, level);
    hop = limited(hop, free(request.source(), request.destination()));
    return hop.capacityBitsPerSecond().isPresent()
        ? hop.withCapacity(new Rate(hop.capacityBitsPerSecond().getAsDouble() / connections))
        : hop;
  }

  /** A hop of a cascade. */
  Hop ofCascade(String from, String to, LinkEstimate link, LossLevel level) {
    return limited(ofLink(from, to, link, level), free(from, to));
  }

  /** Congestion control with which a hop of a cascade is sent. */
  CongestionControl control(String from, String to, LinkEstimate link) {
    return controls.of(from, to, link);
  }

  /** Transport of a hop and the reason for it; empty where it can only be TCP. */
  Optional<HopTransport> transport(String from, String to, LinkEstimate link) {
    return controls.transport(from, to, link);
  }

  /** Congestion control of a throughput test of a hop's link. */
  CongestionControl testControl(String from, String to, LinkEstimate link) {
    return controls.inTests(from, to, link);
  }

  /** A hop of a cascade whose terms leave it all it has. */
  Hop ofLink(String from, String to, LinkEstimate link, LossLevel level) {
    return ofLink(link, control(from, to, link), level);
  }

  /** The same with a congestion control of the caller's choice. */
  Hop ofLink(LinkEstimate link, CongestionControl control, LossLevel level) {
    // Sockets' buffers hold nothing of a coded hop.
    LinkEstimate of = control == CongestionControl.CODED ? link.withoutBuffers() : link;
    Hop hop = hop(of, control, level);
    boolean assume =
        level != LossLevel.OPTIMISTIC
            && (link.capacity() instanceof Capacity.Unlimited || link.capacity().isUnseen());
    return assume ? limited(hop, directCapacity) : hop;
  }

  static Hop limited(Hop hop, OptionalDouble limit) {
    if (limit.isEmpty()
        || hop.capacityBitsPerSecond().orElse(Double.POSITIVE_INFINITY) <= limit.getAsDouble()) {
      return hop;
    }
    return hop.withCapacity(new Rate(limit.getAsDouble()));
  }

  private Hop hop(LinkEstimate link, CongestionControl control, LossLevel level) {
    Hop hop =
        new Hop(
            link.rttSeconds(),
            loss(link, level),
            cap(link.capacity(), level),
            RouteQuestion.FRAMING,
            control.model(),
            dataIn(link.bufferBytes(), level));
    if (isFilled(link, control)) {
      double most = lossThatFills(hop.withLoss(link.loss().likely()));
      return hop.withLoss(Math.min(hop.lossProbability(), most));
    }
    Hop corrected = link.learned(control).apply(hop, link.capacity());
    return level == LossLevel.OPTIMISTIC
        ? limited(corrected, most(link.achieved(control)))
        : corrected;
  }

  /**
   * Whether a sender with this congestion control was seen to fill the link, in spite of its
   * losses.
   */
  boolean isFilled(LinkEstimate link, CongestionControl control) {
    OptionalDouble capacity = link.capacity().known();
    return capacity.isPresent()
        && !HopSendingChoice.isBbr(control)
        && link.achieved(control)
            .filter(rate ->
                rate.bitsPerSecond()
                    >= FILLED * capacity.getAsDouble() * RouteQuestion.FRAMING.payloadShare())
            .isPresent();
  }

  /**
   * A hop's loss, and no more than lets it fill its capacity. Rates fall with the root of loss or
   * faster, so p·(X(p)/C)² is low enough.
   */
  private static double lossThatFills(Hop hop) {
    double byLosses =
        hop.model()
            .bitsPerSecond(
                new PathConditions(
                    hop.rttSeconds(),
                    hop.lossProbability(),
                    hop.mssBytes(),
                    Double.POSITIVE_INFINITY));
    double share = byLosses / hop.payloadCapacityBitsPerSecond();
    return hop.lossProbability() * Math.min(1, share * share);
  }

  /** The highest rate that was achieved, on the wire, as a capacity. */
  private OptionalDouble most(Optional<AchievedRate> achieved) {
    return achieved.stream()
        .mapToDouble(rate -> rate.most(deviations) / RouteQuestion.FRAMING.payloadShare())
        .findFirst();
  }

  private static OptionalDouble cap(Capacity capacity, LossLevel level) {
    return switch (capacity) {
      case Capacity.Unlimited _ -> OptionalDouble.empty();
      case Capacity.Known(double rate, _) -> OptionalDouble.of(rate);
      case Capacity.AtLeast(double rate) ->
          rate == 0 || level == LossLevel.OPTIMISTIC
              ? OptionalDouble.empty()
              : OptionalDouble.of(rate);
    };
  }

  /** Data that socket buffers hold; empty where they never limit. */
  private static OptionalLong dataIn(OptionalLong bufferBytes, LossLevel level) {
    return bufferBytes.isEmpty() || level == LossLevel.OPTIMISTIC
        ? bufferBytes
        : OptionalLong.of(Math.ceilDiv(bufferBytes.getAsLong(), BUFFER_PER_DATA));
  }

  /** Bounds take long to compute, and every candidate over a link wants the same. */
  private double loss(LinkEstimate link, LossLevel level) {
    return switch (level) {
      case LIKELY -> link.loss().likely();
      case OPTIMISTIC ->
          optimistic.computeIfAbsent(link.loss(), loss -> level.of(loss, request.confidence()));
      case PESSIMISTIC ->
          pessimistic.computeIfAbsent(link.loss(), loss -> level.of(loss, request.confidence()));
    };
  }
}
