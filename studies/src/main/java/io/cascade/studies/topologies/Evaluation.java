package io.cascade.studies.topologies;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/**
 * Every pair of a scenario with the choice of every method.
 *
 * @param relativeError uncertainty of throughputs that the planner is given
 * @param mostRelays of a route
 */
record Evaluation(double relativeError, int mostRelays) {

  /** Largest share of a transfer that a trial may cost. */
  private static final double TRIAL_COST = 0.05;

  /** Results in the order of pairs, draw after draw. */
  Map<Method, List<RuleOutcome>> judge(Scenario scenario) {
    Map<Method, List<RuleOutcome>> results = new EnumMap<>(Method.class);
    for (CloudGrid known : scenario.known()) {
      for (Method method : Method.values()) {
        if (method != Method.PLANNER_WITH_TRIAL) {
          add(
              results,
              method,
              judge(rule(method, known, scenario.truth()), known, scenario.truth()));
        }
      }
    }
    List<RuleOutcome> planned = results.getOrDefault(Method.PLANNER, List.of());
    add(
        results,
        Method.PLANNER_WITH_TRIAL,
        planned.stream().map(one -> tried(one, scenario.truth())).toList());
    return results;
  }

  private static void add(
      Map<Method, List<RuleOutcome>> all, Method method, List<RuleOutcome> some) {
    all.computeIfAbsent(method, _ -> new ArrayList<>()).addAll(some);
  }

  private Rule rule(Method method, CloudGrid known, CloudGrid truth) {
    return switch (method) {
      case DIRECT -> Rule.direct();
      case LEAST_ROUND_TRIP -> Rule.leastRoundTrip(known, mostRelays);
      case MEASURED_THROUGHPUT -> Rule.measuredThroughput(known, mostRelays);
      case PLANNER, PLANNER_WITH_TRIAL -> Rule.planner(known, relativeError, mostRelays);
      // Only regions that the other methods know.
      case HINDSIGHT -> Rule.measuredThroughput(truth.within(known), mostRelays);
    };
  }

  private static List<RuleOutcome> judge(Rule rule, CloudGrid known, CloudGrid truth) {
    return known.pairs().parallelStream().map(pair -> judge(rule, pair, known, truth)).toList();
  }

  private static RuleOutcome judge(
      Rule rule, CloudGrid.Pair pair, CloudGrid known, CloudGrid truth) {
    Choice choice = rule.choose(pair.from(), pair.to());
    double direct = truth.hopMegabits(pair.from(), pair.to());
    return new RuleOutcome(
        pair,
        choice,
        truth.roundTripMillis().value(pair.from(), pair.to()).orElseThrow(),
        direct,
        known.megabits(choice.route()) / known.hopMegabits(pair.from(), pair.to()),
        truth.megabits(choice.route()) / direct,
        cause(pair, choice, known, truth));
  }

  /**
   * The direct path if it is faster than known, or the route's slowest hop if it is slower than
   * known, whichever differs by the greater factor.
   */
  private static RuleOutcome.Cause cause(
      CloudGrid.Pair pair, Choice choice, CloudGrid known, CloudGrid truth) {
    ToDoubleBiFunction<String, String> changed =
        (from, to) -> truth.hopMegabits(from, to) / known.hopMegabits(from, to);
    CloudGrid.Pair slowest = pair;
    for (int hop = 0; hop + 1 < choice.route().size(); hop++) {
      CloudGrid.Pair here =
          new CloudGrid.Pair(choice.route().get(hop), choice.route().get(hop + 1));
      if (hop == 0
          || truth.hopMegabits(here.from(), here.to())
              < truth.hopMegabits(slowest.from(), slowest.to())) {
        slowest = here;
      }
    }
    double direct = changed.applyAsDouble(pair.from(), pair.to());
    double hop = changed.applyAsDouble(slowest.from(), slowest.to());
    return direct > 1 / hop
        ? new RuleOutcome.Cause(pair, true, direct)
        : new RuleOutcome.Cause(slowest, false, hop);
  }

  /** Both ways with the better one chosen, less the largest cost of a trial. */
  private static RuleOutcome tried(RuleOutcome planned, CloudGrid truth) {
    if (planned.choice().rival().isEmpty()) {
      return planned;
    }
    double rival = truth.megabits(planned.choice().rival().get()) / planned.directMegabits();
    return new RuleOutcome(
        planned.pair(),
        planned.choice(),
        planned.roundTripMillis(),
        planned.directMegabits(),
        planned.promisedGain(),
        (1 - TRIAL_COST) * Math.max(planned.gain(), rival),
        planned.cause());
  }
}
