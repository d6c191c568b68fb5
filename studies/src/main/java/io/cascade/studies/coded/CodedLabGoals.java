package io.cascade.studies.coded;

import static io.cascade.studies.coded.LabRuns.isAlone;
import static io.cascade.studies.report.Sample.median;
import static io.cascade.studies.report.Words.fixed;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.studies.report.Estimate;
import io.cascade.studies.report.Sample;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Goals of coded hops with their measured values. A cell counts against a goal only if its whole
 * interval misses the goal.
 */
final class CodedLabGoals {
  private static final double LEAST_SHARE = 0.20;
  private static final double MOST_SHARE = 0.75;
  private static final double STARVED = 0.05;
  private static final double STARVES = 0.90;
  private static final double LONGEST_ROUND_TRIP = 1.25;
  private static final double PREDICTED_WITHIN = 0.15;
  private static final int PACKET_BYTES = 1_500;

  private final LabRuns runs;
  private final List<LoopbackRun> loopback;

  CodedLabGoals(LabRuns runs, List<LoopbackRun> loopback) {
    this.runs = runs;
    this.loopback = List.copyOf(loopback);
  }

  /** Goals for which there are measurements. */
  List<Goal> rows() {
    List<Goal> rows = new ArrayList<>();
    payload(rows, "payload over 0.957·C(1 − r), r ≤ 5 %", 0.95, List.of("0%", "1%", "5%"));
    payload(rows, "the same at 10 %", 0.93, List.of("10%"));
    payload(rows, "at 20 %", 0.90, List.of("20%"));
    payload(rows, "at 30 %", 0.88, List.of("30%"));
    payload(rows, "at 10 % in bursts of 3", 0.89, List.of("10% burst 3"));
    roundTrip(rows);
    shares(rows);
    overPeer(rows, "1 %, 100 Mbit/s, 100 ms, over CUBIC", 5, "cubic", "1%");
    overPeer(rows, "10 %, 100 Mbit/s, 100 ms, over BBR", 0.98, "bbr", "10%");
    overPeer(rows, "20 %, 100 Mbit/s, 100 ms, over BBR", 1.15, "bbr", "20%");
    prediction(rows);
    for (String kernel : List.of(LoopbackRun.SCALAR, LoopbackRun.VECTOR)) {
      loopback(rows, 0, kernel, 2.2);
      loopback(rows, 0.1, kernel, 2.6);
    }
    return rows;
  }

  private void payload(List<Goal> rows, String what, double goal, List<String> losses) {
    List<LabCell> found = runs.cells(cell -> isAlone(cell) && losses.contains(cell.loss()));
    if (found.isEmpty()) {
      return;
    }
    double[] medians =
        found.stream().mapToDouble(cell -> runs.median(cell, LabRun::ofBest)).toArray();
    List<Finding> findings =
        found.stream().map(cell -> runs.estimate(cell, LabRun::ofBest).atLeast(goal)).toList();
    rows.add(
        new Goal(
            what,
            "≥ " + fixed(goal, 2),
            "%d of %d cells; median %s, least %s"
                .formatted(
                    count(findings, Finding.MET),
                    medians.length,
                    fixed(median(medians), 3),
                    fixed(Arrays.stream(medians).min().orElse(0), 3)),
            finding(findings, 1)));
  }

  private void roundTrip(List<Goal> rows) {
    List<LabCell> alone = runs.cells(LabRuns::isAlone);
    double[] medians =
        alone.stream().mapToDouble(cell -> runs.median(cell, LabRun::roundTripFactor)).toArray();
    if (medians.length > 0) {
      double most = Arrays.stream(medians).max().orElse(0);
      rows.add(
          new Goal(
              "round trip under load over that without",
              "≤ 1.25",
              "median %s, most %s".formatted(fixed(median(medians), 2), fixed(most, 2)),
              finding(
                  alone.stream()
                      .map(cell ->
                          runs.estimate(cell, LabRun::roundTripFactor).atMost(LONGEST_ROUND_TRIP))
                      .toList(),
                  1)));
    }
  }

  private void shares(List<Goal> rows) {
    List<LabCell> shared = runs.cells(LabCell::isGate);
    if (shared.isEmpty()) {
      return;
    }
    double[] medians =
        shared.stream().mapToDouble(cell -> runs.median(cell, LabRun::share)).toArray();
    long within =
        Arrays.stream(medians).filter(share -> share >= LEAST_SHARE && share <= MOST_SHARE).count();
    rows.add(
        new Goal(
            "share beside one kernel CUBIC or Reno flow",
            "95 % of cells within 0.20–0.75",
            "%d of %d (%.0f %%); %s to %s"
                .formatted(
                    within,
                    medians.length,
                    100.0 * within / medians.length,
                    fixed(Arrays.stream(medians).min().orElse(0), 2),
                    fixed(Arrays.stream(medians).max().orElse(0), 2)),
            finding(
                shared.stream()
                    .map(
                        cell -> within(runs.estimate(cell, LabRun::share), LEAST_SHARE, MOST_SHARE))
                    .toList(),
                0.95)));
    List<LabRun> single = runs.all(LabCell::isGate);
    long beyond =
        single.stream().filter(run -> run.share() < STARVED || run.share() > STARVES).count();
    rows.add(
        new Goal(
            "the same, single runs",
            "none below 0.05 or above 0.90",
            beyond + " of " + single.size(),
            beyond == 0 ? Finding.MET : Finding.MISSED));
    StringBuilder byLoss = new StringBuilder();
    double least = 1;
    double most = 0;
    for (String loss : LabCell.losses(shared)) {
      double middle =
          median(
              shared.stream()
                  .filter(cell -> cell.loss().equals(loss))
                  .mapToDouble(cell -> runs.median(cell, LabRun::share))
                  .toArray());
      least = Math.min(least, middle);
      most = Math.max(most, middle);
      byLoss.append(byLoss.isEmpty() ? "" : ", ").append(fixed(middle, 2) + " at " + loss);
    }
    rows.add(
        new Goal(
            "the same, by the loss r of the coded flow",
            "independent of r: medians within 0.10",
            byLoss.toString(),
            most - least <= 0.10 ? Finding.MET : Finding.MISSED));
  }

  /**
   * Compares the planner's model, given the link's rate, round trip and loss, with the cells alone
   * on a link.
   */
  private void prediction(List<Goal> rows) {
    List<LabCell> alone = runs.cells(LabRuns::isAlone);
    double[] ratios =
        alone.stream()
            .mapToDouble(cell -> runs.median(cell, LabRun::payloadBits) / predicted(cell))
            .sorted()
            .toArray();
    if (ratios.length > 0) {
      long within =
          Arrays.stream(ratios).filter(ratio -> Math.abs(ratio - 1) <= PREDICTED_WITHIN).count();
      rows.add(
          new Goal(
              "planner's prediction for cells alone, measured over predicted",
              "within 15 % in 90 % of cells",
              "%d of %d; median %s, %s to %s"
                  .formatted(
                      within,
                      ratios.length,
                      fixed(median(ratios), 3),
                      fixed(ratios[0], 3),
                      fixed(ratios[ratios.length - 1], 3)),
              finding(
                  alone.stream()
                      .map(cell ->
                          within(
                              runs.estimate(cell, run -> run.payloadBits() / predicted(cell)),
                              1 - PREDICTED_WITHIN,
                              1 + PREDICTED_WITHIN))
                      .toList(),
                  0.90)));
    }
  }

  private static double predicted(LabCell cell) {
    Framing framing = new Framing(PACKET_BYTES, true, 0);
    return CongestionControl.CODED
        .model()
        .bitsPerSecond(
            new PathConditions(
                cell.roundTripMillis() / 1e3,
                LabRun.lossOf(cell),
                framing.mssBytes(),
                1e6 * cell.megabits() * framing.payloadShare()));
  }

  private void loopback(List<Goal> rows, double loss, String kernel, double mostCpu) {
    List<LoopbackRun> found =
        loopback.stream().filter(run -> run.loss() == loss && run.kernel().equals(kernel)).toList();
    if (found.isEmpty()) {
      return;
    }
    Estimate cpu = estimate(found, run -> run.sourceCpu() + run.sinkCpu());
    Estimate gigabits = estimate(found, run -> run.payloadBits() / 1e9);
    double load = median(found.stream().mapToDouble(LoopbackRun::load).toArray());
    String where =
        " on loopback, r = %.0f %%, %s kernel (%d runs, load %.0f)"
            .formatted(100 * loss, kernel, found.size(), load);
    rows.add(
        new Goal(
            "processor seconds per GiB, both ends," + where,
            "≤ " + fixed(mostCpu, 1),
            fixed(cpu.value(), 2),
            cpu.atMost(mostCpu)));
    rows.add(new Goal("Gbit/s" + where, "≥ 1", fixed(gigabits.value(), 2), gigabits.atLeast(1)));
  }

  private void overPeer(List<Goal> rows, String what, double goal, String peer, String loss) {
    LabCell ours = new LabCell(100, 100, 1, loss, LabCell.CODED, "");
    LabCell theirs = new LabCell(100, 100, 1, loss, peer, "");
    if (runs.has(ours) && runs.has(theirs)) {
      Estimate ratio =
          Estimate.ratio(
              runs.sample(ours, LabRun::payloadBits), runs.sample(theirs, LabRun::payloadBits));
      String found = fixed(ratio.value(), 2) + " ×";
      rows.add(new Goal(what, "≥ " + fixed(goal, 2) + " ×", found, ratio.atLeast(goal)));
    }
  }

  private static Estimate estimate(List<LoopbackRun> found, ToDoubleFunction<LoopbackRun> value) {
    return Estimate.of(new Sample(found.stream().map(value::applyAsDouble).toList()));
  }

  /** Judges an estimate by a band: the worse of the findings at the two ends of the band. */
  private static Finding within(Estimate value, double least, double most) {
    return Collections.max(List.of(value.atLeast(least), value.atMost(most)));
  }

  private static Finding finding(List<Finding> cells, double share) {
    return Finding.of(count(cells, Finding.MET), count(cells, Finding.MISSED), cells.size(), share);
  }

  private static long count(List<Finding> cells, Finding which) {
    return cells.stream().filter(which::equals).count();
  }
}
