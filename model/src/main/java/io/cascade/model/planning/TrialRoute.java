package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the cascade of which a trial would teach the most, where the direct path carries the
 * traffic beside it.
 *
 * <p>What is known of a few packets is no basis for a choice: the likely loss of a link that lost
 * none of 24 is 2 %. A link of fewer than {@value #ENOUGH_PACKETS} packets is therefore taken to
 * lose what the direct path loses over as long a round trip, as if {@value #ASSUMED_PACKETS}
 * packets had shown that:
 *
 * <pre>
 * p = (lost + m·p_direct·rtt/rtt_direct) / (sent + m),     m = 1000
 * </pre>
 *
 * <p>Rates that were seen do not limit, for they are what a link carries at the least. Worked
 * value: the direct path loses 0.7 % over 160 ms. A link of 40 ms that lost none of 24 packets is
 * taken to lose 0.17 %.
 */
public final class TrialRoute {
  /** A trial must promise so many times the rate of the best way that was seen. */
  static final double WORTH_A_TRIAL = 1.3;

  /** The same, where the best way is known to be faster than the direct path. */
  static final double WORTH_MORE_THAN_A_GAIN = 2;

  private static final long ENOUGH_PACKETS = 3_000;
  private static final long ASSUMED_PACKETS = 1_000;

  private TrialRoute() {}

  /**
   * The cascade to try; empty where relays are ruled out, where the direct path was not measured,
   * and where no cascade over links without a rate promises clearly more than the best that was
   * seen.
   *
   * @param plan for the same request over the same topology
   */
  public static Optional<Candidate> of(Topology topology, PlanRequest request, Plan plan) {
    Optional<LinkEstimate> direct = topology.link(request.source(), request.destination());
    if (plan.decision() == Decision.DIRECT || direct.isEmpty() || plan.bestCascade().isEmpty()) {
      return Optional.empty();
    }
    Topology assumed = assumed(topology, direct.get());
    Forecaster forecaster = new Forecaster(assumed, request);
    List<Candidate> unseen =
        new RoutePlanner()
            .plan(assumed, request).candidates().stream()
                .filter(one -> one.kind() == Candidate.Kind.CASCADE)
                .filter(one -> isUnseen(topology, one.route()))
                .toList();
    Candidate best = plan.bestCascade().get();
    double worth = plan.decision() == Decision.CASCADE ? WORTH_MORE_THAN_A_GAIN : WORTH_A_TRIAL;
    double most =
        isUnseen(topology, best.route())
            ? Double.POSITIVE_INFINITY
            : forecaster.likelyCascadeCost(best.route()) / worth;
    return Ranking.quickest(unseen).filter(one -> one.likelyCost() <= most);
  }

  private static boolean isUnseen(Topology topology, Route route) {
    for (int i = 0; i < route.hops(); i++) {
      boolean unseen =
          topology
              .link(route.nodes().get(i), route.nodes().get(i + 1))
              .filter(link -> link.capacity().isUnseen())
              .isPresent();
      if (unseen) {
        return true;
      }
    }
    return false;
  }

  private static Topology assumed(Topology topology, LinkEstimate direct) {
    Topology.Builder assumed = Topology.builder().termsOf(topology);
    for (String from : topology.nodes()) {
      topology.linksFrom(from).forEach((to, link) -> assumed.link(from, to, assumed(link, direct)));
    }
    return assumed.build();
  }

  private static LinkEstimate assumed(LinkEstimate link, LinkEstimate direct) {
    LinkEstimate open =
        link.capacity() instanceof Capacity.AtLeast
            ? link.withCapacity(new Capacity.AtLeast(0))
            : link;
    LossEstimate seen = link.loss();
    if (seen.sent() >= ENOUGH_PACKETS) {
      return open;
    }
    double share = Math.min(1, link.rttSeconds() / direct.rttSeconds());
    double lost = seen.lost() + ASSUMED_PACKETS * direct.loss().likely() * share;
    return open.withLoss(new LossEstimate(Math.round(lost), seen.sent() + ASSUMED_PACKETS));
  }
}
