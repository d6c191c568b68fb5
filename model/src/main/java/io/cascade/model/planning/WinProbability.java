package io.cascade.model.planning;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SlowStart;
import io.cascade.model.planning.LossPosterior.CostDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How likely a cascade costs less than the direct path, given what was counted of every link's
 * loss.
 *
 * <p>Every loss is drawn from its {@linkplain LossPosterior posterior}, independently: the direct
 * path and the cascade have no link in common. Round trips and capacities are taken as they are. A
 * transfer's cost is its time, c = base + max over hops of burden(p), base being what losses do not
 * touch: set-up, ways, and by how much the full model exceeds {@linkplain Cascade#leastSeconds the
 * bound} at the likely losses. A stream's cost is 1/rate, base 0. Burdens grow with loss, so the
 * maximum stays below a limit when each hop's does, and
 *
 * <pre>
 * P(cascade &lt; direct) = ∫ Π over hops P(burdenₖ &lt; c_direct(p) − base) dF_direct(p)
 * </pre>
 *
 * <p>One integral of one variable, by the trapezoidal rule on the direct path's table: no random
 * numbers, no sampling error. Exact for streams but for interpolation; for transfers off by what
 * the excess over the bound changes with loss. A test holds it against simulation with the full
 * model.
 *
 * <p>Equal costs are no win.
 */
final class WinProbability {

  /** What two costs may differ by through rounding alone. */
  private static final double ROUNDING = 1e-9;

  private final Topology topology;
  private final PlanRequest request;
  private final Forecaster forecaster;

  WinProbability(Topology topology, PlanRequest request, Forecaster forecaster) {
    this.topology = topology;
    this.request = request;
    this.forecaster = forecaster;
  }

  /** For a measured direct path and a measured cascade. */
  double of(Candidate direct, Candidate cascade) {
    List<CostDistribution> hops = burdens(cascade);
    double base = base(cascade);
    double directBase = base(direct);
    return burdens(direct)
        .getFirst()
        .expect(burden -> {
          double limit = (directBase + burden) * (1 - ROUNDING) - base;
          double all = 1;
          for (CostDistribution hop : hops) {
            all *= hop.below(limit);
          }
          return all;
        });
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
    List<String> nodes = candidate.route().nodes();
    List<CostDistribution> burdens = new ArrayList<>();
    for (int i = 0; i < likely.hops().size(); i++) {
      Hop hop = likely.hops().get(i);
      double opening = request.bytes().isPresent() ? likely.openingSeconds(i) : 0;
      LinkEstimate link = topology.link(nodes.get(i), nodes.get(i + 1)).orElseThrow();
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
