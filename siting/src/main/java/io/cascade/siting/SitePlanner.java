package io.cascade.siting;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Chooses the sites to rent.
 *
 * <p>Every demand uses the direct path or its best chain through rented sites, scored by the full
 * model at the likely loss of each link. Links and sites have no shared capacity here: two demands
 * over one site do not slow each other.
 *
 * <p>Stateless and thread-safe.
 */
public final class SitePlanner {

  /**
   * The best choice, with its proof or, if time ran out, with the best bound.
   *
   * @throws SolverUnavailable if there is no solver for this platform
   */
  public Siting exact(SitingRequest request) {
    SitingProblem problem = SitingProblem.of(request);
    BitSet greedy = GreedyChoice.of(problem);
    ExactChoice.Found found;
    try {
      found = ExactChoice.of(problem, request.timeLimit());
    } catch (NoClassDefFoundError e) { // archives and images do not include the solver
      throw SolverUnavailable.leftOut(e);
    }
    BitSet chosen =
        problem.worth(found.chosen()).compareTo(problem.worth(greedy)) >= 0
            ? found.chosen()
            : greedy;
    SitingValue reached = problem.worth(chosen);
    return result(
        request,
        problem,
        Siting.Method.EXACT,
        chosen,
        found.proven() || reached.compareTo(found.bound()) >= 0 ? reached : found.bound(),
        found.proven(),
        greedy);
  }

  /** The greedy choice, with an upper bound of every choice. */
  public Siting greedy(SitingRequest request) {
    SitingProblem problem = SitingProblem.of(request);
    BitSet greedy = GreedyChoice.of(problem);
    BitSet every = new BitSet();
    every.set(0, problem.sites());
    return result(
        request,
        problem,
        Siting.Method.GREEDY,
        greedy,
        problem.worth(every),
        problem.worth(greedy).equals(problem.worth(every)),
        greedy);
  }

  private static Siting result(
      SitingRequest request,
      SitingProblem problem,
      Siting.Method method,
      BitSet chosen,
      SitingValue bound,
      boolean proven,
      BitSet greedy) {
    SitingValue reached = problem.worth(chosen);
    List<Siting.RentedSite> sites = new ArrayList<>();
    chosen.stream()
        .forEach(site -> {
          BitSet without = (BitSet) chosen.clone();
          without.clear(site);
          sites.add(
              new Siting.RentedSite(
                  request.sites().get(site),
                  Siting.Outcome.of(reached.minus(problem.worth(without)))));
        });
    List<Siting.Assignment> assignments = new ArrayList<>();
    for (int demand = 0; demand < request.demands().size(); demand++) {
      assignments.add(assignment(request, problem, demand, chosen));
    }
    return new Siting(
        method,
        proven,
        sites,
        problem.price(chosen),
        Siting.Outcome.of(reached),
        Siting.Outcome.of(bound),
        Siting.Outcome.of(problem.worth(greedy)),
        greedy.stream().mapToObj(site -> request.sites().get(site).name()).toList(),
        assignments);
  }

  private static Siting.Assignment assignment(
      SitingRequest request, SitingProblem problem, int index, BitSet chosen) {
    Demand demand = request.demands().get(index);
    SitingProblem.Way way = problem.best(index, chosen);
    double direct = problem.ways().get(index).getLast().chain().cost();
    double cost = way.chain().cost();
    return new Siting.Assignment(
        demand,
        way.chain().relays().stream().map(site -> request.sites().get(site).name()).toList(),
        way.worth().served() == 1,
        seconds(demand, direct),
        seconds(demand, cost),
        rate(demand, direct),
        rate(demand, cost));
  }

  private static OptionalDouble seconds(Demand demand, double cost) {
    return demand.bytes().isPresent() && Double.isFinite(cost)
        ? OptionalDouble.of(cost)
        : OptionalDouble.empty();
  }

  private static OptionalDouble rate(Demand demand, double cost) {
    return Double.isFinite(cost)
        ? OptionalDouble.of(demand.bitsPerSecond(cost))
        : OptionalDouble.empty();
  }
}
