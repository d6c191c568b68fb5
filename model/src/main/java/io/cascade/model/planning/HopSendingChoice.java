package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SlowStart;
import io.cascade.model.tcp.CongestionControl;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Chooses congestion control and transport of each hop of a cascade.
 *
 * <p>The choice is made for each hop separately, since a faster hop never makes a cascade slower.
 * So the search for routes looks at one hop per link, not at one per congestion control.
 *
 * <p>A relay uses its usual control, unless another one that it {@linkplain RouteQuestion#offers
 * offers} is likely to be at least {@value #CLEAR_GAIN} times as fast on this hop: a transfer's
 * time over the hop alone, slow start included, or a stream's rate. Less is within the model's
 * scatter. A rate that nothing known limits, or only a capacity stated by an operator, does not
 * count, since it was never observed.
 *
 * <p>What was learned of a link with the usual control may also hold for the other one, which was
 * not tried there yet. So the rate of the usual one is the higher of those with and without that
 * correction.
 *
 * <p>BBR takes most of a shared bottleneck from connections that react to losses. Measured beside
 * one of them it had about 0.9 of the link if the queue holds at most a bandwidth-delay product,
 * and left the other a fifth to a third of its rate beside CUBIC: see docs/experiments/fairness.md.
 * The other users of a link and the size of its queue are unknown. But if losses keep the usual
 * control at or below {@value #UNUSED} of the capacity, BBR takes mostly unused capacity: there the
 * other kept 0.8 in the median, 0.48 at the least; at 0.2 it kept half, at 0.3 less. So a relay is
 * told to use BBR only up to this share.
 *
 * <p>If the request leaves the choice, a hop that may be {@linkplain CodedHops coded} is coded if
 * that is likely to be {@value #CODED_GAIN} times as fast as TCP with the best control that may be
 * chosen. Its rate has to rest on an observed capacity. Beside one connection of kernel TCP a coded
 * hop was measured to keep about half of the link, at any loss of the link: see
 * docs/experiments/coded-lab.md.
 *
 * <p>Not thread-safe: caches its choices.
 */
final class HopSendingChoice {

  /**
   * The gain from which a relay is told to use another control: by the {@linkplain ModelScatter
   * scatter} of the model alone, two rates that losses set differ by at most exp(1.96·√(0.17² +
   * 0.20²)) = 1.67.
   */
  static final double CLEAR_GAIN = 1.7;

  /** Share of a link up to which a control leaves most of it unused. */
  static final double UNUSED = 0.15;

  /**
   * The gain from which a hop is coded if plans may choose: the scatter of CUBIC's model alone is
   * exp(1.96·0.20) = 1.48, and a coded hop costs both relays more processor time.
   */
  static final double CODED_GAIN = 1.5;

  private final RouteQuestion request;
  private final MeasuredHops measured;
  private final Map<Sent, CongestionControl> chosen = new HashMap<>();
  private final Map<Sent, Boolean> coded = new HashMap<>();

  HopSendingChoice(RouteQuestion request, MeasuredHops measured) {
    this.request = request;
    this.measured = measured;
  }

  private record Sent(String from, String to) {}

  /** Congestion control of the hop's sender. */
  CongestionControl of(String from, String to, LinkEstimate link) {
    return isCoded(from, to, link) ? CongestionControl.CODED : ofTcp(from, to, link);
  }

  private CongestionControl ofTcp(String from, String to, LinkEstimate link) {
    return offers(from).isEmpty()
        ? request.hopControl(from)
        : chosen.computeIfAbsent(new Sent(from, to), _ -> choose(from, to, link, LossLevel.LIKELY));
  }

  /**
   * Congestion control of a throughput test of the link: if its capacity is unknown, one that would
   * be clearly faster than the usual one on an unlimited link.
   */
  CongestionControl inTests(String from, String to, LinkEstimate link) {
    boolean open = link.capacity() instanceof Capacity.AtLeast || link.capacityOnlySaid();
    return open && !offers(from).isEmpty()
        ? choose(from, to, link, LossLevel.OPTIMISTIC)
        : ofTcp(from, to, link);
  }

  private boolean isCoded(String from, String to, LinkEstimate link) {
    return switch (request.coded().use()) {
      case NEVER -> false;
      case ALWAYS -> request.coded().isOffered(from, to);
      case WHERE_FASTER ->
          coded.computeIfAbsent(
              new Sent(from, to), _ -> codedGain(from, to, link).orElse(0) >= CODED_GAIN);
    };
  }

  /**
   * Factor by which a coded hop would be faster than TCP; empty if the hop cannot be coded, or the
   * factor is unknown.
   */
  private OptionalDouble codedGain(String from, String to, LinkEstimate link) {
    boolean unseen =
        link.capacity().isUnseen()
            || link.capacity() instanceof Capacity.Unlimited
            || link.capacityOnlySaid();
    if (unseen
        || link.blocksDatagrams()
        || !request.coded().isOffered(from, to)
        || measured.free(from, to).orElse(1) == 0) {
      return OptionalDouble.empty();
    }
    CongestionControl tcp = ofTcp(from, to, link);
    double slow =
        Math.min(
            burden(from, to, link, tcp, LossLevel.LIKELY),
            burden(from, to, link.withoutLearned(), tcp, LossLevel.LIKELY));
    double fast = burden(from, to, link, CongestionControl.CODED, LossLevel.LIKELY);
    return slow > 0 && fast > 0 && Double.isFinite(fast)
        ? OptionalDouble.of(slow / fast)
        : OptionalDouble.empty();
  }

  /** Transport of the hop and the reason for it; empty if it can only be TCP. */
  Optional<HopTransport> transport(String from, String to, LinkEstimate link) {
    CodedHops asked = request.coded();
    boolean joins = asked.relays().contains(from) || asked.relays().contains(to);
    boolean ends = isEnd(from) || isEnd(to);
    if (asked.use() == CodedHops.Use.NEVER || ends || !joins) {
      return Optional.empty();
    }
    boolean isCoded = isCoded(from, to, link);
    return Optional.of(new HopTransport(isCoded, why(from, to, link, isCoded)));
  }

  private boolean isEnd(String node) {
    return node.equals(request.source()) || node.equals(request.destination());
  }

  private String why(String from, String to, LinkEstimate link, boolean isCoded) {
    if (!request.coded().isOffered(from, to)) {
      return (request.coded().relays().contains(from) ? to : from) + " offers no coded hops";
    }
    if (request.coded().use() == CodedHops.Use.ALWAYS) {
      return "asked for";
    }
    if (link.blocksDatagrams()) {
      return "no datagram gets through";
    }
    OptionalDouble gain = codedGain(from, to, link);
    if (gain.isEmpty()) {
      return "no transfer has shown what the link carries";
    }
    CongestionControl tcp = ofTcp(from, to, link);
    return isCoded
        ? String.format(
            Locale.ROOT,
            "%s with %s at a loss of %s, %s coded",
            rate(from, to, link, tcp),
            tcp.name().toLowerCase(Locale.ROOT),
            Figures.percent(link.loss().likely()),
            rate(from, to, link, CongestionControl.CODED))
        : String.format(
            Locale.ROOT,
            "coded it would be %.1f times as fast, which has to be %.1f",
            gain.getAsDouble(),
            CODED_GAIN);
  }

  private String rate(String from, String to, LinkEstimate link, CongestionControl control) {
    return Figures.rate(
        hop(from, to, link, control, LossLevel.LIKELY).steadyRate().bitsPerSecond());
  }

  private Set<CongestionControl> offers(String from) {
    return request.offers().getOrDefault(from, Set.of());
  }

  private CongestionControl choose(String from, String to, LinkEstimate link, LossLevel level) {
    CongestionControl usual = request.hopControl(from);
    if (measured.free(from, to).orElse(1) == 0) {
      return usual;
    }
    CongestionControl best = usual;
    double least =
        Math.min(
                burden(from, to, link, usual, LossLevel.LIKELY),
                burden(from, to, link.withoutLearned(), usual, LossLevel.LIKELY))
            / CLEAR_GAIN;
    for (CongestionControl offered : CongestionControl.values()) {
      if (offered != usual
          && offered != CongestionControl.CODED
          && offers(from).contains(offered)
          && (!isBbr(offered) || leavesUnused(from, to, link, offered, level))) {
        double burden = burden(from, to, link, offered, level);
        boolean known = level == LossLevel.OPTIMISTIC || isKnown(link, offered, burden);
        if (known && burden < least) {
          best = offered;
          least = burden;
        }
      }
    }
    return best;
  }

  /**
   * Whether the rate rests on knowledge: BBR's needs an observed capacity, that of others any
   * limit.
   */
  private static boolean isKnown(LinkEstimate link, CongestionControl offered, double burden) {
    boolean unseen = link.capacity().isUnseen() || link.capacityOnlySaid();
    return burden > 0 && !(isBbr(offered) && unseen);
  }

  static boolean isBbr(CongestionControl control) {
    return control == CongestionControl.BBR || control == CongestionControl.BBR_V3;
  }

  private boolean leavesUnused(
      String from, String to, LinkEstimate link, CongestionControl offered, LossLevel level) {
    CongestionControl usual = request.hopControl(from);
    double used =
        Math.max(
            hop(from, to, link, usual, level).steadyRate().bitsPerSecond(),
            hop(from, to, link.withoutLearned(), usual, level).steadyRate().bitsPerSecond());
    double carried = hop(from, to, link, offered, level).payloadCapacityBitsPerSecond();
    return Double.isInfinite(carried) ? level == LossLevel.OPTIMISTIC : used <= UNUSED * carried;
  }

  private Hop hop(
      String from, String to, LinkEstimate link, CongestionControl control, LossLevel level) {
    return MeasuredHops.limited(measured.ofLink(link, control, level), measured.free(from, to));
  }

  /**
   * Seconds that the transfer takes over the hop alone, or seconds per bit; 0 without any limit.
   */
  private double burden(
      String from, String to, LinkEstimate link, CongestionControl control, LossLevel level) {
    Hop hop = hop(from, to, link, control, level);
    double rate = hop.steadyRate().bitsPerSecond();
    return Double.isInfinite(rate) || request.bytes().isEmpty()
        ? 1 / rate
        : SlowStart.secondsBeyondWay(hop, request.bytes().getAsLong(), Forecaster.INITIAL_WINDOW);
  }
}
