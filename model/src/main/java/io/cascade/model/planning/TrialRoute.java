package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the cascade whose trial would show the most, while the direct path carries the traffic
 * beside it.
 *
 * <p>A few packets are no basis for a choice: the likely loss of a link that lost none of 24 is 2
 * %. A link with fewer than {@value #ENOUGH_PACKETS} packets is therefore assumed to have the
 * direct path's loss, scaled by round-trip time, with a weight of {@value #ASSUMED_PACKETS}
 * packets:
 *
 * <pre>
 * p = (lost + m·p_direct·rtt/rtt_direct) / (sent + m),     m = 1000
 * </pre>
 *
 * <p>Worked value: the direct path loses 0.7 % over 160 ms. A link of 40 ms that lost none of 24
 * packets is assumed to lose 0.17 %.
 *
 * <p>Observed rates limit as they do in the plan. A trial must promise clearly more than the
 * fastest observed way, including the direct one: a trial spends blocks and time on a way that may
 * carry nothing.
 */
public final class TrialRoute {
  /** Least ratio of a trial's promised rate to the rate of the fastest observed way. */
  static final double WORTH_A_TRIAL = 1.3;

  /** The same ratio if observed relays are known to be faster than the direct path. */
  static final double WORTH_MORE_THAN_A_GAIN = 2;

  /**
   * The probability from which relays count as known to be faster, whether or not the plan is
   * decided.
   */
  static final double KNOWN = 0.9;

  private static final long ENOUGH_PACKETS = 3_000;
  private static final long ASSUMED_PACKETS = 1_000;

  private TrialRoute() {}

  /**
   * The cascade to try; empty if relays are excluded, if the direct path was not measured, or if no
   * cascade over links without a rate promises clearly more than the best observed way.
   *
   * @param plan for the same request over the same topology
   */
  public static Optional<Candidate> of(Topology topology, RouteQuestion request, RouteAnswer plan) {
    Optional<LinkEstimate> direct = topology.link(request.source(), request.destination());
    if (plan.decision().isWithoutRelays() || direct.isEmpty() || plan.bestCascade().isEmpty()) {
      return Optional.empty();
    }
    Topology assumed = assumed(topology, direct.get());
    List<Candidate> unseen =
        new RoutePlanner()
            .plan(assumed, request).candidates().stream()
                .filter(one -> one.kind() == Candidate.Kind.CASCADE)
                .filter(one -> isUnseen(topology, one.route()))
                .toList();
    Candidate best = plan.bestCascade().get();
    double most =
        isUnseen(topology, best.route())
            ? Double.POSITIVE_INFINITY
            : leastSeenCost(plan) / (isKnownGain(plan) ? WORTH_MORE_THAN_A_GAIN : WORTH_A_TRIAL);
    return Ranking.quickest(unseen).filter(one -> one.likelyCost() <= most);
  }

  private static boolean isKnownGain(RouteAnswer plan) {
    return plan.decision() == Decision.CASCADE || plan.probabilityCascadeWins().orElse(0) >= KNOWN;
  }

  /** The likely cost of the fastest usable way over which a rate was observed. */
  private static double leastSeenCost(RouteAnswer plan) {
    return plan.candidates().stream()
        .filter(one -> one.kind() == Candidate.Kind.CASCADE || one.kind() == Candidate.Kind.DIRECT)
        .filter(Candidate::hasLikelyRate)
        .mapToDouble(Candidate::likelyCost)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static boolean isUnseen(Topology topology, NodePath route) {
    return route.links().stream()
        .flatMap(link -> topology.link(link.from(), link.to()).stream())
        .anyMatch(link -> link.capacity().isUnseen());
  }

  private static Topology assumed(Topology topology, LinkEstimate direct) {
    Topology.Builder assumed = Topology.builder().termsOf(topology);
    for (String from : topology.nodes()) {
      topology.linksFrom(from).forEach((to, link) -> assumed.link(from, to, assumed(link, direct)));
    }
    return assumed.build();
  }

  private static LinkEstimate assumed(LinkEstimate link, LinkEstimate direct) {
    LossEstimate seen = link.loss();
    if (seen.sent() >= ENOUGH_PACKETS) {
      return link;
    }
    double share = Math.min(1, link.rttSeconds() / direct.rttSeconds());
    double lost = seen.lost() + ASSUMED_PACKETS * direct.loss().likely() * share;
    return link.withLoss(new LossEstimate(Math.round(lost), seen.sent() + ASSUMED_PACKETS));
  }
}
