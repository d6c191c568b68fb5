package io.cascade.studies.topologies;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.studies.report.Words;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The evaluation of the rules on the published grids, as a page with its charts. */
final class TopologiesReport {
  static final String NAME = "real-topologies";

  private static final int MOST_RELAYS = 3;
  private static final int WORST_SHOWN = 5;

  /**
   * Number of quantiles that a chart shows; its ends leave out the extremes, which would squash it.
   */
  private static final int QUANTILES = 50;

  private final double relativeError;
  private final List<ScenarioResults> results;

  private TopologiesReport(double relativeError, List<ScenarioResults> results) {
    this.relativeError = relativeError;
    this.results = results;
  }

  /** Computes everything: about a minute of processor time. */
  static TopologiesReport compute() {
    RepeatedTests repeated = RepeatedTests.read();
    return of(repeated.relativeError(), Scenario.all());
  }

  static TopologiesReport of(double relativeError, List<Scenario> scenarios) {
    Evaluation evaluation = new Evaluation(relativeError, MOST_RELAYS);
    return new TopologiesReport(
        relativeError,
        scenarios.stream()
            .map(scenario -> new ScenarioResults(scenario, evaluation.judge(scenario)))
            .toList());
  }

  Page page() {
    Page page = new Page("Choosing relays between cloud regions").markdown(introduction());
    goals(page);
    results.forEach(one -> section(page, one));
    return page;
  }

  private String introduction() {
    return String.format(
        Locale.ROOT,
        """
        Printed by `./cascade reproduce topologies`; seeds are fixed. The measurements are published ones, with their sources beside the
        [tables](../../studies/src/main/resources/io/cascade/studies/topologies/README.md): least round trips, and what 64 CUBIC connections
        delivered in 5 s, between regions of AWS, Azure and Google Cloud.

        **What is true.** A cascade delivers the least of its hops' throughputs. A provider's limit on what one host may send (AWS 5, Google
        7, Azure 16 Gbit/s) is in each hop's value, for its sender was held to it. Not in it: that a relay receives and sends at once,
        what its processor takes, hosts that share a bottleneck, and that a test of 5 s over a long round trip has much slow start
        in it, which favours short hops. A relay is one more host; whoever may use as many hosts on the direct path can send more there, too.

        **What the rules know.** *Direct* knows nothing. *Least round trip* takes the least sum of round trips, *measured throughput* the
        greatest least throughput, both among the direct path and routes of up to %d relays. *Planner* is the product's own, asked for a
        stream without end over one of the 64 connections. It is told each round trip, and each throughput as the loss at which its model
        of CUBIC has that rate, counted so often that the rate is uncertain by %.0f %%: %d pairs were measured twice on one day, and differ by that.
        It is told the same in every scenario. Its likelier choice counts, also where it is undecided. *Planner and trial*: where it is
        undecided both ways are tried and the better one counts, less 5 %%, the most that a trial may take, although it seldom takes it all; so
        an undecided pair cannot be a miss here. The trial is computed, no transfer was run. *Hindsight* is the best route there was.

        **Gain** is what a choice delivers over what the direct path delivers. "Below" is the share of pairs with a gain under 0.95. All
        figures are of pairs whose direct round trip is at least 100 ms, unless they say otherwise.

        """,
        MOST_RELAYS,
        100 * relativeError,
        RepeatedTests.read().pairs());
  }

  private void goals(Page page) {
    List<List<String>> rows = new ArrayList<>();
    for (ScenarioResults one : results) {
      rows.add(
          List.of(
              one.scenario().title(),
              String.valueOf(one.longOnes(Method.DIRECT).size()),
              belowAndMedian(one, Method.LEAST_ROUND_TRIP),
              belowAndMedian(one, Method.PLANNER),
              answer(one, Method.PLANNER),
              belowAndMedian(one, Method.PLANNER_WITH_TRIAL),
              answer(one, Method.PLANNER_WITH_TRIAL)));
    }
    page.heading(2, "Goals")
        .paragraph(
            "At most 3 % of pairs below, a median gain of at least 1.25, both ahead of least round"
                + " trip. Cells: share below, median gain.")
        .table(
            "inputs | choices | least round trip | planner | goals | planner and trial | goals",
            rows)
        .paragraph(
            """
            Inputs with errors are drawn three times. Of the planner's choices that were below with them, nearly all took a route with a hop
            that the errors had made look fast: who takes the best of thousands of routes takes the luckiest. The planner chooses by what
            a route carries on average, given that any of its uncertain hops may be the slowest, which holds against routes of many hops, and
            where it is unsure it takes relays for more than a tenth only. What is left is luck among routes of as many hops. A trial catches
            those that it is unsure of. With errors of 30 %, more than it was told, it is sure of some gains that are not there. The latest grid has rates of another kind, more than twice as high, and the host kind is not stated.
            Within Azure the least round trip is nearly always the direct path's, so that nothing can be ahead of it in pairs below.
            """);
  }

  private static String belowAndMedian(ScenarioResults results, Method method) {
    Gains gains = results.gains(method);
    return percent(gains.belowDirect()) + ", " + number(gains.median());
  }

  private static String answer(ScenarioResults results, Method method) {
    List<String> missed = results.missedGoals(method);
    return missed.isEmpty() ? "reached" : String.join("; ", missed);
  }

  private void section(Page page, ScenarioResults one) {
    List<List<String>> rows = new ArrayList<>();
    for (Method method : Method.values()) {
      Gains gains = one.gains(method);
      Gains all = Gains.of(one.all(method));
      rows.add(
          List.of(
              method.title(),
              percent(gains.belowDirect()),
              number(gains.quantile(0.01)),
              number(gains.quantile(0.05)),
              number(gains.quantile(0.25)),
              number(gains.median()),
              number(gains.quantile(0.75)),
              number(gains.quantile(0.95)),
              number(gains.mean()),
              percent(one.share(method, judged -> judged.choice().route().size() > 2)),
              percent(one.share(method, judged -> judged.choice().isUndecided())),
              percent(all.belowDirect()) + ", " + number(all.median())));
    }
    Scenario scenario = one.scenario();
    page.heading(2, Words.capital(scenario.title()))
        .paragraph(
            "%d regions, %d choices, %d of them for pairs of 100 ms and more. %s"
                .formatted(
                    scenario.truth().within(scenario.known().getFirst()).regions().size(),
                    one.all(Method.DIRECT).size(),
                    one.longOnes(Method.DIRECT).size(),
                    difference(scenario)))
        .table(
            "rule | below | 1st p. | 5th p. | 25th p. | median | 75th p. | 95th p. | mean | "
                + "through relays | undecided | all pairs: below, median",
            rows)
        .figure(NAME + "-" + scenario.name(), chart(one))
        .paragraph(prices(one));
    misses(page, one);
  }

  private static String difference(Scenario scenario) {
    Difference difference = scenario.difference();
    return difference.spread() == 0
        ? "The throughputs known are the true ones."
        : String.format(
            Locale.ROOT,
            "The true throughputs are %.2f times those known in the median, and spread by %.0f %% around that.",
            difference.median(),
            100 * difference.spread());
  }

  /** Text on what traffic costs, where the rules know the truth. */
  private static String prices(ScenarioResults one) {
    if (!one.scenario().name().equals("exact")) {
      return "";
    }
    PairTable prices = PublishedTable.CLOUD_EGRESS_PRICES.read();
    double[] factors =
        one.longOnes(Method.PLANNER).stream()
            .filter(judged -> judged.choice().route().size() > 2)
            .mapToDouble(judged ->
                price(prices, judged.choice().route())
                    / price(prices, List.of(judged.pair().from(), judged.pair().to())))
            .sorted()
            .toArray();
    return factors.length == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "Traffic is paid for at every hop: of the planner's routes through relays the median costs %.1f"
                + " times as much per GB as the direct path, by the providers' list prices of the time."
                + " Price was no limit here; a plan keeps to one when it is told so.",
            factors[factors.length / 2]);
  }

  private static double price(PairTable prices, List<String> route) {
    return IntStream.range(0, route.size() - 1)
        .mapToDouble(hop -> prices.value(route.get(hop), route.get(hop + 1)).orElseThrow())
        .sum();
  }

  private static void misses(Page page, ScenarioResults one) {
    List<RuleOutcome> misses =
        one.longOnes(Method.PLANNER).stream().filter(RuleOutcome::isBelowDirect).toList();
    if (misses.isEmpty()) {
      page.paragraph("No choice of the planner's was below.");
      return;
    }
    long direct = misses.stream().filter(judged -> judged.cause().direct()).count();
    List<List<String>> rows =
        one.worst(Method.PLANNER, WORST_SHOWN).stream()
            .map(judged ->
                List.of(
                    judged.pair().toString(),
                    number(judged.roundTripMillis()) + " ms",
                    String.join(
                        ", ",
                        judged.choice().route().subList(1, judged.choice().route().size() - 1)),
                    number(judged.promisedGain()),
                    number(judged.gain()),
                    words(judged.cause())))
            .toList();
    page.paragraph(
        ("Of the planner's %d choices below, %d were undecided; in %d the direct path's inputs were too"
                + " low, in %d those of the route's slowest hop too high. The worst:")
            .formatted(
                misses.size(),
                misses.stream().filter(judged -> judged.choice().isUndecided()).count(),
                direct,
                misses.size() - direct));
    page.table(
        List.of("pair", "round trip", "relays", "gain by the inputs", "gain", "cause"), rows);
  }

  private static String words(RuleOutcome.Cause cause) {
    return (cause.direct() ? "direct path " : cause.hop() + " ")
        + number(cause.changed())
        + " times what was known";
  }

  private static Chart chart(ScenarioResults one) {
    List<Line> lines = new ArrayList<>();
    for (Method method : Method.values()) {
      Gains gains = one.gains(method);
      List<Double> shares =
          IntStream.range(1, QUANTILES).mapToObj(i -> (double) i / QUANTILES).toList();
      List<Double> values = shares.stream().map(gains::quantile).toList();
      boolean reference = method == Method.DIRECT || method == Method.HINDSIGHT;
      lines.add(
          reference
              ? Line.dashed(method.title(), values, shares)
              : Line.solid(method.title(), values, shares));
    }
    return new Chart(
        "Gain over the direct path, " + one.scenario().title(),
        Axis.logarithmic("rate over the direct path's, pairs of 100 ms and more"),
        Axis.linear("share of pairs up to it"),
        lines);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.2f", value);
  }
}
