package io.cascade.model.planning;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SlowStart;
import io.cascade.model.planning.LossPosterior.CostDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Probability that a cascade costs less than the direct path, given the counted losses of every
 * link and the model's own error.
 *
 * <p>Every loss is drawn from its {@linkplain LossPosterior posterior}, independently: the direct
 * path and the cascade have no link in common. Round-trip times count as exact. A transfer's cost
 * is its time, c = base + max over hops of burden(p), where base is the part that does not depend
 * on losses: set-up, propagation, and the excess of the full model over {@linkplain
 * Cascade#leastSeconds the bound} at the likely losses. A stream's cost is 1/rate, base 0. Burdens
 * grow with loss, so the maximum is below a limit if each hop's is, and
 *
 * <pre>
 * P(cascade &lt; direct) = ∫ Π over hops P(burdenₖ &lt; c_direct(p) − base) dF_direct(p)
 * </pre>
 *
 * <p>Both costs have a further error factor, log-normal with the {@linkplain ModelScatter scatter}
 * of the model and the deviation of a measured capacity. Only their ratio matters, so the direct
 * path's cost is multiplied by exp(s·z), s the root of both variances' sum, and the probability
 * averaged over a standard normal z.
 *
 * <p>Two integrals, by the trapezoidal rule on the direct path's table and on z: no random numbers,
 * no sampling error. Exact for streams except for interpolation; for transfers the error is the
 * change of the excess over the bound with loss. A test compares it with a simulation of the full
 * model.
 *
 * <p>Equal costs do not count as a win.
 */
final class WinProbability {

  /** Difference of two costs that may be caused by rounding. */
  private static final double ROUNDING = 1e-9;

  /** Range and steps of z. */
  private static final double REACH = 4;

  private static final double STEP = 0.5;

  private final Topology topology;
  private final RouteQuestion request;
  private final Forecaster forecaster;

  WinProbability(Topology topology, RouteQuestion request, Forecaster forecaster) {
    this.topology = topology;
    this.request = request;
    this.forecaster = forecaster;
  }

  /** Computes it for a measured direct path and a measured cascade. */
  double of(Candidate direct, Candidate cascade) {
    List<CostDistribution> hops = burdens(cascade);
    double base = base(cascade);
    double directBase = base(direct);
    CostDistribution burdens = burdens(direct).getFirst();
    double scatter = Math.hypot(scatter(direct), scatter(cascade));
    double sum = 0;
    double weights = 0;
    for (double z = -REACH; z <= REACH; z += STEP) {
      double factor = Math.exp(scatter * z) * (1 - ROUNDING);
      double weight = Math.exp(-z * z / 2);
      weights += weight;
      sum += weight * burdens.expect(burden -> all(hops, (directBase + burden) * factor - base));
    }
    return sum / weights;
  }

  /** Probability that every hop's burden stays below a limit. */
  private static double all(List<CostDistribution> hops, double limit) {
    double all = 1;
    for (CostDistribution hop : hops) {
      all *= hop.below(limit);
    }
    return all;
  }

  private double scatter(Candidate candidate) {
    return forecaster.scatter(candidate.route(), candidate.congestionControl());
  }

  private double base(Candidate candidate) {
    OptionalLong bytes = request.bytes();
    if (bytes.isEmpty()) {
      return 0;
    }
    Cascade likely = likely(candidate);
    double burden = 0;
    for (int i = 0; i < likely.hops().size(); i++) {
      burden = Math.max(burden, burden(likely.hops().get(i)) + likely.openingSeconds(i));
    }
    return likely.deliver(bytes.getAsLong()).totalSeconds() - burden;
  }

  private List<CostDistribution> burdens(Candidate candidate) {
    Cascade likely = likely(candidate);
    List<NodePath.Link> links = candidate.route().links();
    List<CostDistribution> burdens = new ArrayList<>();
    for (int i = 0; i < likely.hops().size(); i++) {
      Hop hop = likely.hops().get(i);
      double opening = request.bytes().isPresent() ? likely.openingSeconds(i) : 0;
      LinkEstimate link = topology.link(links.get(i).from(), links.get(i).to()).orElseThrow();
      burdens.add(new LossPosterior(link.loss()).of(loss -> burden(hop.withLoss(loss)) + opening));
    }
    return burdens;
  }

  private double burden(Hop hop) {
    return request.bytes().isPresent()
        ? SlowStart.secondsBeyondWay(hop, request.bytes().getAsLong(), Forecaster.INITIAL_WINDOW)
        : 1 / hop.steadyRate().bitsPerSecond();
  }

  private Cascade likely(Candidate candidate) {
    return forecaster.chain(candidate.route(), candidate.congestionControl(), 1, LossLevel.LIKELY);
  }
}
