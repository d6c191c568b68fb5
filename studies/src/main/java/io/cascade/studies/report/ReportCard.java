package io.cascade.studies.report;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.PathLink;
import io.cascade.studies.study.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The planner's choices compared with the measured rates of all candidates.
 *
 * <p>The planner is given every link's true round-trip time, capacity and loss, the latter as
 * counts among a million packets. So its model and its rule are judged, and not the probes.
 */
final class ReportCard {
  private static final long PACKETS = 1_000_000;
  private static final double GOOD = 0.9;
  private static final double WORSE_THAN_DIRECT = 0.95;

  private final List<Row> rows;

  private ReportCard(List<Row> rows) {
    this.rows = rows;
  }

  /**
   * One path.
   *
   * @param chosen by the planner
   * @param best route by measurement
   * @param ofBest measured rate of the chosen route over that of the best
   * @param ofDirect measured rate of the chosen route over that of the direct connection
   */
  record Row(
      Map<String, String> path,
      String chosen,
      String decision,
      String best,
      double ofBest,
      double ofDirect) {
    Row {
      path = Map.copyOf(path);
    }
  }

  static ReportCard of(Experiment.Sweep sweep, Evidence evidence) {
    List<Row> rows = new ArrayList<>();
    paths(sweep).forEach((path, cells) -> row(path, cells, evidence).ifPresent(rows::add));
    return new ReportCard(rows);
  }

  /** The cells of each path; a direct cell belongs to every path that differs only in relays. */
  private static Map<Map<String, String>, List<Cell>> paths(Experiment.Sweep sweep) {
    Map<Map<String, String>, List<Cell>> paths = new LinkedHashMap<>();
    for (Cell cell : sweep.cells()) {
      if (!cell.route().direct()) {
        Map<String, String> path = new TreeMap<>(cell.inputs());
        path.remove("route");
        paths.computeIfAbsent(path, _ -> new ArrayList<>()).add(cell);
      }
    }
    paths.forEach((path, cells) ->
        sweep.cells().stream()
            .filter(cell -> cell.route().direct() && cell.route().connections() == 1)
            .filter(cell ->
                cell.inputs().entrySet().stream()
                    .allMatch(input ->
                        input.getKey().equals("route")
                            || input.getValue().equals(path.get(input.getKey()))))
            .findFirst()
            .ifPresent(cells::addFirst));
    return paths;
  }

  private static Optional<Row> row(Map<String, String> path, List<Cell> cells, Evidence evidence) {
    Map<Cell, Double> measured = new LinkedHashMap<>();
    for (Cell cell : cells) {
      Optional<Sample> goodput = evidence.sample(cell, Claim.Figure.GOODPUT);
      if (goodput.isEmpty()) {
        return Optional.empty();
      }
      measured.put(cell, goodput.get().mean());
    }
    if (!cells.getFirst().route().direct()) {
      return Optional.empty();
    }
    RouteAnswer plan = plan(cells.getLast());
    List<Integer> relays =
        plan.route().relays().stream().map(name -> Integer.parseInt(name.substring(1))).toList();
    Cell chosen =
        cells.stream()
            .filter(cell -> cell.route().relays().equals(relays))
            .findFirst()
            .orElseThrow();
    Cell best = cells.stream().max(Comparator.comparing(measured::get)).orElseThrow();
    double got = measured.getOrDefault(chosen, 0.0);
    return Optional.of(
        new Row(
            path,
            chosen.inputs().getOrDefault("route", ""),
            plan.decision().toString(),
            best.inputs().getOrDefault("route", ""),
            got / measured.getOrDefault(best, 1.0),
            got / measured.getOrDefault(cells.getFirst(), 1.0)));
  }

  /** Plan for the path of a cell with relays. */
  static RouteAnswer plan(Cell cell) {
    int ends = cell.links().size();
    Topology.Builder topology = Topology.builder();
    for (int from = 0; from < ends; from++) {
      for (int to = from + 1; to <= ends; to++) {
        topology.link(node(from, ends), node(to, ends), estimate(cell.links().subList(from, to)));
      }
    }
    RouteQuestion.Builder request =
        RouteQuestion.between(node(0, ends), node(ends, ends))
            .congestionControl(cell.control(), cell.hopControl());
    cell.bytes().ifPresent(request::bytes);
    return new RoutePlanner().plan(topology.build(), request.build());
  }

  private static String node(int index, int ends) {
    return index == 0 ? "source" : index == ends ? "destination" : "r" + index;
  }

  private static LinkEstimate estimate(List<PathLink> links) {
    PathLink whole = PathLink.inSeries(links);
    return LinkEstimate.of(
            Duration.ofNanos(Math.round(whole.rttSeconds() * 1e9)),
            new LossEstimate(Math.round(whole.lossProbability() * PACKETS), PACKETS))
        .withCapacity(Rate.ofMegabits(whole.bitsPerSecond() / 1e6));
  }

  List<Row> rows() {
    return rows;
  }

  /** Number of choices that reached 90 % of the best rate. */
  long good() {
    return rows.stream().filter(row -> row.ofBest() >= GOOD).count();
  }

  /** Number of choices more than 5 % below the direct connection. */
  long worseThanDirect() {
    return rows.stream().filter(row -> row.ofDirect() < WORSE_THAN_DIRECT).count();
  }

  void describe(Page page, String experiment) {
    if (rows.isEmpty()) {
      page.paragraph("Nothing measured yet.");
      return;
    }
    page.paragraph(
        "Of %d paths the planner's choice reached 90 %% of the best measured candidate on **%d (%s %%)**; goal: 95 %%."
                .formatted(rows.size(), good(), Words.number(100.0 * good() / rows.size()))
            + " It was more than 5 %% below the direct connection on **%d**; goal: none."
                .formatted(worseThanDirect()));
    List<Double> sorted = rows.stream().map(Row::ofBest).sorted().toList();
    List<Double> share = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      share.add(100.0 * (i + 1) / sorted.size());
    }
    page.figure(
        experiment + "-chosen-of-best",
        new Chart(
            "The chosen plan's goodput over the best measured one's",
            Axis.linear("chosen over best"),
            Axis.linear("share of paths at or below [%]"),
            List.of(Line.points("paths", sorted, share, List.of()))));
    List<List<String>> misses = new ArrayList<>();
    for (Row row : rows) {
      if (row.ofBest() < GOOD || row.ofDirect() < WORSE_THAN_DIRECT) {
        misses.add(
            List.of(
                new TreeMap<>(row.path()).toString().replaceAll("[{}]", ""),
                row.chosen(),
                row.decision().toLowerCase(java.util.Locale.ROOT),
                row.best(),
                Words.number(row.ofBest()),
                Words.number(row.ofDirect())));
      }
    }
    if (!misses.isEmpty()) {
      page.paragraph("Paths on which a goal was missed:");
      page.table(
          List.of("path", "chosen", "decision", "best", "chosen/best", "chosen/direct"), misses);
    }
  }
}
