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
 * Makes hops from measurements and from the capacity that terms leave free.
 *
 * <p>A hop of a cascade carries no more than the free capacity of its link and of the relays at its
 * ends. If only an observed rate of a link is known as its {@linkplain Capacity capacity}, that is
 * its likely and its pessimistic capacity; the optimistic one is limited only by what a similar
 * {@linkplain AchievedRate transfer} has achieved. If the capacity of a cascade's link was neither
 * stated nor observed, it is assumed to be the direct path's, if that is known, and unlimited in
 * the optimistic case: a cascade must not win because its links were not measured.
 *
 * <p>If a transfer with the same congestion control has filled a link, its losses do not keep the
 * next one from doing so: they count no higher than the rate at capacity allows.
 *
 * <p>A hop has at most as much in flight as the socket buffers at its ends hold. The share of a
 * buffer that is data depends on packets and drivers: half is assumed as likely, and all of it in
 * the optimistic case.
 *
 * <p>Not thread-safe: caches bounds of losses.
 */
public final class MeasuredHops {

  /**
   * Socket buffer divided by the data that it holds: at least half is data; the rest is the
   * kernel's overhead.
   */
  private static final int BUFFER_PER_DATA = 2;

  /** Least share of a capacity that a transfer has to reach to count as filling it. */
  private static final double FILLED = 0.9;

  private final Topology topology;
  private final RouteQuestion request;
  private final OptionalDouble directCapacity;
  private final double deviations;
  private final HopSendingChoice controls;
  private final Map<LossEstimate, Double> optimistic = new HashMap<>();
  private final Map<LossEstimate, Double> pessimistic = new HashMap<>();

  /** Uses the links of a topology, under the terms of a request. */
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

  /** The direct path's capacity, which replaces unknown ones. */
  OptionalDouble directCapacity() {
    return directCapacity;
  }

  /**
   * Free rate of a hop's link and of the relays at its ends; 0 if nothing is left, empty if
   * unlimited.
   */
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
   * The likely hop of a connection over a link, without other chains; if the link is the direct
   * path, with the direct path's congestion control.
   *
   * @throws java.util.NoSuchElementException if nothing is known of the link
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

  /** Congestion control of the sender on a hop of a cascade. */
  CongestionControl control(String from, String to, LinkEstimate link) {
    return controls.of(from, to, link);
  }

  /** Transport of a hop and the reason for it; empty if it can only be TCP. */
  Optional<HopTransport> transport(String from, String to, LinkEstimate link) {
    return controls.transport(from, to, link);
  }

  /** Congestion control of a throughput test of a hop's link. */
  CongestionControl testControl(String from, String to, LinkEstimate link) {
    return controls.inTests(from, to, link);
  }

  /** A hop of a cascade without the limits of terms. */
  Hop ofLink(String from, String to, LinkEstimate link, LossLevel level) {
    return ofLink(link, control(from, to, link), level);
  }

  /** The same with a given congestion control. */
  Hop ofLink(LinkEstimate link, CongestionControl control, LossLevel level) {
    // Socket buffers do not limit a coded hop.
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

  /** Whether a sender with this congestion control has filled the link, in spite of its losses. */
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
   * A hop's loss, limited to one at which it fills its capacity. Rates fall with the root of loss
   * or faster, so p·(X(p)/C)² is low enough.
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

  /** The upper bound by an achieved rate, on the wire, as a capacity. */
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

  /** Data that socket buffers hold; empty if they never limit. */
  private static OptionalLong dataIn(OptionalLong bufferBytes, LossLevel level) {
    return bufferBytes.isEmpty() || level == LossLevel.OPTIMISTIC
        ? bufferBytes
        : OptionalLong.of(Math.ceilDiv(bufferBytes.getAsLong(), BUFFER_PER_DATA));
  }

  /** Cached: bounds take long to compute, and every candidate over a link needs the same ones. */
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
