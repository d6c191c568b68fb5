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
 * Chooses what each hop of a cascade is sent with.
 *
 * <p>The choice is made hop by hop, for whatever a hop's neighbours do, the faster hop makes no
 * cascade slower. So the search for routes looks at one hop per link, not at one per congestion
 * control.
 *
 * <p>A relay sends with what it usually does, unless another one that it {@linkplain
 * RouteQuestion#offers offers} is likely to be at least {@value #CLEAR_GAIN} times as fast on this
 * hop: a transfer's time over the hop alone, slow start included, or a stream's rate. Less is
 * within the model's scatter. A rate that nothing known limits, or only an operator's word, counts
 * for nothing: nobody has seen it.
 *
 * <p>What was learned of a link with the usual control may hold for the other one as well, which
 * nobody has tried there yet. So the usual one counts as fast as it is with and without what was
 * learned, whichever is more.
 *
 * <p>BBR takes a shared bottleneck from connections that go by losses. Measured beside one of them
 * it had about 0.9 of the link where the queue holds no more than a bandwidth-delay product, and
 * left the other a fifth to a third of what it has beside CUBIC: see docs/experiments/fairness.md.
 * Who shares a link and what its queue holds cannot be seen. But where losses keep the usual
 * control at or below {@value #UNUSED} of the capacity, BBR takes mostly what nobody used: there
 * the other kept 0.8 in the median, 0.48 at the least; at 0.2 it kept half, at 0.3 less. So only up
 * to this share a relay is told to send with BBR.
 *
 * <p>A hop that may be {@linkplain CodedHops coded} is, where the request leaves the choice, if it
 * is likely to be {@value #CODED_GAIN} times as fast as TCP with the best control that may be
 * chosen. Its rate has to rest on a capacity that somebody has seen. Beside one connection of
 * kernel TCP a coded hop was measured to keep about half of the link, whatever the link loses: see
 * docs/experiments/coded-lab.md.
 *
 * <p>Not for use by several threads: remembers its choices.
 */
final class HopSendingChoice {

  /**
   * The gain from which it is worth telling a relay what to send with: two rates that losses set
   * lie apart by no more than exp(1.96·√(0.17² + 0.20²)) = 1.67 by the {@linkplain ModelScatter
   * scatter} of the model alone.
   */
  static final double CLEAR_GAIN = 1.7;

  /** A control that uses no more than this share of a link leaves most of it unused. */
  static final double UNUSED = 0.15;

  /**
   * The gain from which a hop is coded where plans may choose: the scatter of CUBIC's model alone
   * is exp(1.96·0.20) = 1.48, and a coded hop costs both relays more processor time.
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

  /** Congestion control with which the hop is sent. */
  CongestionControl of(String from, String to, LinkEstimate link) {
    return isCoded(from, to, link) ? CongestionControl.CODED : ofTcp(from, to, link);
  }

  private CongestionControl ofTcp(String from, String to, LinkEstimate link) {
    return offers(from).isEmpty()
        ? request.hopControl(from)
        : chosen.computeIfAbsent(new Sent(from, to), _ -> choose(from, to, link, LossLevel.LIKELY));
  }

  /**
   * Congestion control of a throughput test of the link: where its capacity is not known, one that
   * would be clearly faster than the usual one if the link carried whatever it is given.
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
   * Factor by which a coded hop would be faster than TCP; empty where the hop cannot be coded, or
   * nobody knows.
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

  /** Transport of the hop and the reason for it; empty where it can only be TCP. */
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

  /** BBR sends at a capacity that somebody must have seen; others need a rate at all. */
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

  /** Seconds that the transfer takes over the hop alone, or seconds a bit; 0 without any limit. */
  private double burden(
      String from, String to, LinkEstimate link, CongestionControl control, LossLevel level) {
    Hop hop = hop(from, to, link, control, level);
    double rate = hop.steadyRate().bitsPerSecond();
    return Double.isInfinite(rate) || request.bytes().isEmpty()
        ? 1 / rate
        : SlowStart.secondsBeyondWay(hop, request.bytes().getAsLong(), Forecaster.INITIAL_WINDOW);
  }
}
