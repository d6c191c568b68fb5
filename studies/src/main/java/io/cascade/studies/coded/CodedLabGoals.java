package io.cascade.studies.coded;

import static io.cascade.studies.coded.LabRuns.isAlone;
import static io.cascade.studies.report.Sample.median;
import static io.cascade.studies.report.Words.fixed;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Goals of coded hops, and what they reached. */
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

  /** Rows of what, goal, found and verdict. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
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

  private void payload(List<List<String>> rows, String what, double goal, List<String> losses) {
    List<LabCell> found = runs.cells(cell -> isAlone(cell) && losses.contains(cell.loss()));
    if (found.isEmpty()) {
      return;
    }
    double[] medians =
        found.stream().mapToDouble(cell -> runs.median(cell, LabRun::ofBest)).toArray();
    long met = Arrays.stream(medians).filter(value -> value >= goal).count();
    rows.add(
        row(
            what,
            "≥ " + fixed(goal, 2),
            "%d of %d cells; median %s, least %s"
                .formatted(
                    met,
                    medians.length,
                    fixed(median(medians), 3),
                    fixed(Arrays.stream(medians).min().orElse(0), 3)),
            met == medians.length));
  }

  private void roundTrip(List<List<String>> rows) {
    double[] medians =
        runs.cells(LabRuns::isAlone).stream()
            .mapToDouble(cell -> runs.median(cell, LabRun::roundTripFactor))
            .toArray();
    if (medians.length > 0) {
      double most = Arrays.stream(medians).max().orElse(0);
      rows.add(
          row(
              "round trip under load, over the one without",
              "≤ 1.25",
              "median %s, most %s".formatted(fixed(median(medians), 2), fixed(most, 2)),
              most <= LONGEST_ROUND_TRIP));
    }
  }

  private void shares(List<List<String>> rows) {
    List<LabCell> shared = runs.cells(LabCell::isGate);
    if (shared.isEmpty()) {
      return;
    }
    double[] medians =
        shared.stream().mapToDouble(cell -> runs.median(cell, LabRun::share)).toArray();
    long within =
        Arrays.stream(medians).filter(share -> share >= LEAST_SHARE && share <= MOST_SHARE).count();
    rows.add(
        row(
            "share beside one kernel CUBIC or Reno flow",
            "95 % of cells within 0.20–0.75",
            "%d of %d (%.0f %%); %s to %s"
                .formatted(
                    within,
                    medians.length,
                    100.0 * within / medians.length,
                    fixed(Arrays.stream(medians).min().orElse(0), 2),
                    fixed(Arrays.stream(medians).max().orElse(0), 2)),
            within >= 0.95 * medians.length));
    List<LabRun> single = runs.all(LabCell::isGate);
    long beyond =
        single.stream().filter(run -> run.share() < STARVED || run.share() > STARVES).count();
    rows.add(
        row(
            "the same, single runs",
            "none below 0.05 or above 0.90",
            beyond + " of " + single.size(),
            beyond == 0));
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
        row(
            "the same, by what the coded flow loses",
            "independent of r: medians within 0.10",
            byLoss.toString(),
            most - least <= 0.10));
  }

  /** The planner's model, given the link's rate, round trip and loss, against cells alone. */
  private void prediction(List<List<String>> rows) {
    double[] ratios =
        runs.cells(LabRuns::isAlone).stream()
            .mapToDouble(cell -> runs.median(cell, LabRun::payloadBits) / predicted(cell))
            .sorted()
            .toArray();
    if (ratios.length > 0) {
      long within =
          Arrays.stream(ratios).filter(ratio -> Math.abs(ratio - 1) <= PREDICTED_WITHIN).count();
      rows.add(
          row(
              "planner's prediction for cells alone, measured over predicted",
              "within 15 % in 90 % of cells",
              "%d of %d; median %s, %s to %s"
                  .formatted(
                      within,
                      ratios.length,
                      fixed(median(ratios), 3),
                      fixed(ratios[0], 3),
                      fixed(ratios[ratios.length - 1], 3)),
              within >= 0.90 * ratios.length));
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

  private void loopback(List<List<String>> rows, double loss, String kernel, double mostCpu) {
    List<LoopbackRun> found =
        loopback.stream().filter(run -> run.loss() == loss && run.kernel().equals(kernel)).toList();
    if (found.isEmpty()) {
      return;
    }
    double cpu =
        median(found.stream().mapToDouble(run -> run.sourceCpu() + run.sinkCpu()).toArray());
    double gigabits = median(found.stream().mapToDouble(run -> run.payloadBits() / 1e9).toArray());
    double load = median(found.stream().mapToDouble(LoopbackRun::load).toArray());
    String where =
        " on loopback, r = %.0f %%, %s kernel (%d runs, load %.0f)"
            .formatted(100 * loss, kernel, found.size(), load);
    rows.add(
        row(
            "processor seconds per GiB, both ends," + where,
            "≤ " + fixed(mostCpu, 1),
            fixed(cpu, 2),
            cpu <= mostCpu));
    rows.add(row("Gbit/s" + where, "≥ 1", fixed(gigabits, 2), gigabits >= 1));
  }

  private void overPeer(
      List<List<String>> rows, String what, double goal, String peer, String loss) {
    LabCell ours = new LabCell(100, 100, 1, loss, LabCell.CODED, "");
    LabCell theirs = new LabCell(100, 100, 1, loss, peer, "");
    double ratio =
        runs.median(ours, LabRun::payloadBits) / runs.median(theirs, LabRun::payloadBits);
    if (!Double.isNaN(ratio)) {
      rows.add(row(what, "≥ " + fixed(goal, 2) + " ×", fixed(ratio, 2) + " ×", ratio >= goal));
    }
  }

  private static List<String> row(String what, String goal, String found, boolean isMet) {
    return List.of(what, goal, found, isMet ? "met" : "**missed**");
  }
}
