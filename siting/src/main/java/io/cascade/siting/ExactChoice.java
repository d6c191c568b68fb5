package io.cascade.siting;

import com.google.ortools.modelbuilder.LinearExpr;
import com.google.ortools.modelbuilder.LinearExprBuilder;
import com.google.ortools.modelbuilder.ModelBuilder;
import com.google.ortools.modelbuilder.ModelSolver;
import com.google.ortools.modelbuilder.SolveStatus;
import com.google.ortools.modelbuilder.Variable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The best choice of sites, by integer programming over paths, with its proof.
 *
 * <pre>
 * maximise  Σ worth(d,w)·x(d,w)                     over demands d and their ways w
 * such that Σ_w x(d,w) ≤ 1                          one way per demand
 *           Σ_{w through s} x(d,w) ≤ y(s)           for every demand and site: only rented sites
 *           Σ y(s) ≤ k,  Σ price(s)·y(s) ≤ budget
 * </pre>
 *
 * <p>y is 0 or 1; x needs no such constraint, since among rented sites a demand's best way alone is
 * optimal. The second constraint exists once per demand and site, for all ways together, which is
 * equivalent to one per way and leaves far less branching: the strong formulation of facility
 * location, whose relaxation is mostly within 2 % of the best choice.
 *
 * <p>The solver (SCIP) uses floating point with tolerances of a millionth; "proven" means within
 * these.
 */
final class ExactChoice {

  /** Total weight of all gains; each served demand weighs more than all of them together. */
  private static final double ALL_GAINS = 1000;

  private static final double ONE_SERVED = 2 * ALL_GAINS;
  private static final double TOLERANCE = 1e-6;

  /**
   * Parameters of the solver: it runs until the choice is proven or the wall-clock limit is
   * reached, without cuts, which cost more time than they save, since the formulation is tight.
   */
  private static final String PARAMETERS =
      """
      limits/gap = 0
      timing/clocktype = 2
      separating/maxrounds = 0
      separating/maxroundsroot = 0
      """;

  private final SitingProblem problem;
  private final double unitsPerGain;

  private ExactChoice(SitingProblem problem) {
    this.problem = problem;
    double most = everything().gain();
    unitsPerGain = most > 0 ? ALL_GAINS / most : 1;
  }

  /**
   * The best choice found until it was proven optimal or the time ran out.
   *
   * @param chosen sites that some demand uses; empty if nothing was found in time
   * @param bound upper bound of every choice
   */
  record Found(BitSet chosen, SitingValue bound, boolean proven) {}

  /**
   * Solves the problem.
   *
   * @throws SolverUnavailable if there is no solver for this platform
   */
  static Found of(SitingProblem problem, Duration timeLimit) {
    SolverLibrary.load();
    return new ExactChoice(problem).solve(timeLimit);
  }

  private Found solve(Duration timeLimit) {
    ModelBuilder model = new ModelBuilder();
    Variable[] rented = new Variable[problem.sites()];
    for (int site = 0; site < rented.length; site++) {
      rented[site] = model.newBoolVar("");
    }
    model.addLessOrEqual(LinearExpr.sum(rented), problem.mostSites());
    if (problem.budget().isPresent()) {
      double[] prices = problem.prices().stream().mapToDouble(price -> price).toArray();
      model.addLessOrEqual(LinearExpr.weightedSum(rented, prices), problem.budget().getAsDouble());
    }
    LinearExprBuilder worth = LinearExpr.newBuilder();
    for (List<SitingProblem.Way> ways : problem.ways()) {
      addDemand(model, rented, ways, worth);
    }
    model.maximize(worth);

    ModelSolver solver = new ModelSolver("SCIP");
    // The solver counts milliseconds, and 0 means no limit.
    solver.setTimeLimit(timeLimit.toMillis() > 0 ? timeLimit : Duration.ofMillis(1));
    solver.setSolverSpecificParameters(PARAMETERS);
    SolveStatus status = solver.solve(model);
    BitSet chosen = new BitSet();
    if (solver.hasSolution()) {
      for (int site = 0; site < rented.length; site++) {
        chosen.set(site, solver.getValue(rented[site]) > 0.5);
      }
    }
    boolean proven = status == SolveStatus.OPTIMAL;
    return new Found(
        problem.used(chosen),
        solver.hasSolution() ? decoded(solver.getBestObjectiveBound()) : everything(),
        proven);
  }

  private void addDemand(
      ModelBuilder model,
      Variable[] rented,
      List<SitingProblem.Way> ways,
      LinearExprBuilder worth) {
    double direct = units(ways.getLast().worth());
    worth.add(direct);
    LinearExprBuilder taken = LinearExpr.newBuilder();
    Map<Integer, List<Variable>> bySite = new TreeMap<>();
    for (SitingProblem.Way way : ways.subList(0, ways.size() - 1)) {
      Variable takes = model.newNumVar(0, 1, "");
      taken.add(takes);
      way.chain()
          .relays()
          .forEach(site -> bySite.computeIfAbsent(site, _ -> new ArrayList<>()).add(takes));
      worth.addTerm(takes, units(way.worth()) - direct);
    }
    if (bySite.isEmpty()) {
      return;
    }
    model.addLessOrEqual(taken, 1);
    bySite.forEach((site, through) -> {
      LinearExprBuilder unpaid = LinearExpr.newBuilder();
      through.forEach(unpaid::add);
      model.addLessOrEqual(unpaid.addTerm(rented[site], -1), 0);
    });
  }

  private double units(SitingValue worth) {
    return worth.served() * ONE_SERVED + worth.gain() * unitsPerGain;
  }

  private SitingValue decoded(double units) {
    int served = (int) Math.floor(units / ONE_SERVED + TOLERANCE);
    return new SitingValue(served, Math.max(0, units - served * ONE_SERVED) / unitsPerGain);
  }

  /** Returns an upper bound of every choice at any price: every demand uses its best way. */
  private SitingValue everything() {
    return problem.ways().stream()
        .map(ways -> ways.getFirst().worth())
        .reduce(SitingValue.NOTHING, SitingValue::plus);
  }
}
