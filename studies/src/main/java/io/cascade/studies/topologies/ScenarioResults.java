package io.cascade.studies.topologies;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A scenario with the outcomes of every method. */
record ScenarioResults(Scenario scenario, Map<Method, List<RuleOutcome>> judged) {

  /** Least direct round trip in ms of the pairs that the goals are about. */
  static final double LONG_MILLIS = 100;

  /** Largest share of pairs that may be more than 5 % below the direct path. */
  static final double MOST_BELOW_DIRECT = 0.03;

  static final double LEAST_MEDIAN = 1.25;

  /** Gains among pairs with a long round trip. */
  Gains gains(Method method) {
    return Gains.of(longOnes(method));
  }

  List<RuleOutcome> all(Method method) {
    return judged.getOrDefault(method, List.of());
  }

  List<RuleOutcome> longOnes(Method method) {
    return all(method).stream().filter(one -> one.roundTripMillis() >= LONG_MILLIS).toList();
  }

  /** The share of long pairs with a property. */
  double share(Method method, Predicate<RuleOutcome> property) {
    List<RuleOutcome> all = longOnes(method);
    return all.stream().filter(property).count() / (double) all.size();
  }

  /** Goals that a method misses, in words; empty if it reaches all. */
  List<String> missedGoals(Method method) {
    Gains gains = gains(method);
    Gains leastRoundTrip = gains(Method.LEAST_ROUND_TRIP);
    List<String> missed = new ArrayList<>();
    if (gains.belowDirect() > MOST_BELOW_DIRECT) {
      missed.add("more than 3 % of pairs below");
    }
    if (gains.median() < LEAST_MEDIAN) {
      missed.add("median below 1.25");
    }
    if (gains.belowDirect() >= leastRoundTrip.belowDirect()
        || gains.median() <= leastRoundTrip.median()) {
      missed.add("not ahead of least round trip");
    }
    return missed;
  }

  /** The worst choices for long pairs, in ascending order of gain, each pair once. */
  List<RuleOutcome> worst(Method method, int most) {
    Map<CloudGrid.Pair, RuleOutcome> worst = new LinkedHashMap<>();
    longOnes(method).stream()
        .filter(RuleOutcome::isBelowDirect)
        .sorted(Comparator.comparingDouble(RuleOutcome::gain))
        .forEach(one -> worst.putIfAbsent(one.pair(), one));
    return worst.values().stream().limit(most).toList();
  }
}
