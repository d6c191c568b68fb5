package io.cascade.siting;

import java.util.BitSet;

/**
 * Greedy choice: adds one site after the other, each time the one that adds most.
 *
 * <p>With one relay per demand the value is monotone and submodular, and the greedy choice reaches
 * at least 1 − 1/e = 63 % of the best k sites (Nemhauser, Wolsey and Fisher, "An analysis of
 * approximations for maximizing submodular set functions", Mathematical Programming 14, 1978).
 * <b>This does not hold for chains of two or more relays</b>: two sites can be worth much together
 * and nothing alone, and then the greedy choice may be worse by any factor. It is used for
 * comparison with the exact choice, and on platforms without a solver.
 *
 * <p>Under a budget both orders are tried, by value and by value per price, since each alone can be
 * arbitrarily bad, and the better result is used.
 */
final class GreedyChoice {

  private GreedyChoice() {}

  static BitSet of(SitingProblem problem) {
    BitSet byWorth = grow(problem, false);
    if (problem.budget().isEmpty()) {
      return byWorth;
    }
    BitSet byWorthPerPrice = grow(problem, true);
    return problem.worth(byWorthPerPrice).compareTo(problem.worth(byWorth)) > 0
        ? byWorthPerPrice
        : byWorth;
  }

  private static BitSet grow(SitingProblem problem, boolean perPrice) {
    BitSet chosen = new BitSet();
    SitingValue reached = problem.worth(chosen);
    while (true) {
      int best = -1;
      SitingValue bestStep = SitingValue.NOTHING;
      for (int site = 0; site < problem.sites(); site++) {
        if (chosen.get(site)) {
          continue;
        }
        chosen.set(site);
        if (problem.allows(chosen)) {
          SitingValue step = problem.worth(chosen).minus(reached);
          if (perPrice) {
            step =
                new SitingValue(
                    step.served(), step.gain() / Math.max(problem.prices().get(site), 1e-12));
          }
          if (step.compareTo(bestStep) > 0) {
            best = site;
            bestStep = step;
          }
        }
        chosen.clear(site);
      }
      if (best < 0) {
        return problem.used(chosen);
      }
      chosen.set(best);
      reached = problem.worth(chosen);
    }
  }
}
