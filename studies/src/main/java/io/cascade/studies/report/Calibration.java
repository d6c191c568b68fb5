package io.cascade.studies.report;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.CubicThroughput;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PftkThroughput;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Forecast;
import io.cascade.studies.experiment.Relaying;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Every measured steady rate beside the prediction of each model. */
public final class Calibration {
  private static final double MISS = 0.25;

  /** Highest loss of a hop for which the default models are meant. */
  private static final double RANGE = 0.02;

  private static final Map<String, ThroughputModel> MODELS = models();

  /** Least number of expected losses for which a run shows a steady state. */
  private static final double LEAST_LOSSES = 5;

  private final List<Point> points;
  private final long leftOut;

  private Calibration(List<Point> points, long leftOut) {
    this.points = points;
    this.leftOut = leftOut;
  }

  /**
   * A measured cell.
   *
   * @param predicted by the default model, Mbit/s
   * @param predictedAsLost by the same model from the share of packets that the links actually lost
   */
  record Point(
      Cell cell, String experiment, double measured, double predicted, double predictedAsLost) {
    /** Measured over predicted. */
    double ratio() {
      return measured / predicted;
    }

    double ratioAsLost() {
      return measured / predictedAsLost;
    }

    /** Whether no link has more loss than the models are meant for. */
    boolean inRange() {
      return cell.links().stream().allMatch(link -> link.lossProbability() <= RANGE)
          && (!cell.route().direct() || cell.lossProbability() <= RANGE);
    }
  }

  private static Map<String, ThroughputModel> models() {
    Map<String, ThroughputModel> models = new LinkedHashMap<>();
    models.put("Mathis, random loss", MathisThroughput.RANDOM_LOSS);
    models.put("Mathis, periodic loss", MathisThroughput.periodicLoss(1));
    models.put("PFTK", PftkThroughput.LINUX);
    models.put("CUBIC", new CubicThroughput());
    models.put("Reno in plans", CongestionControl.RENO.model());
    models.put("CUBIC in plans", CongestionControl.CUBIC.model());
    return models;
  }

  /** Calibration from all cells that last for a time and whose relays forward at once. */
  public static Calibration of(List<Evidence> all) {
    List<Point> points = new ArrayList<>();
    long leftOut = 0;
    for (Evidence evidence : all) {
      for (Cell cell : evidence.results().keySet()) {
        if (cell.bytes().isPresent() || !(cell.relaying() instanceof Relaying.Pipelined)) {
          continue;
        }
        Optional<Sample> goodput = evidence.sample(cell, Claim.Figure.GOODPUT);
        if (goodput.isPresent()) {
          Forecast forecast = new Forecast(cell);
          if (forecast.lossesExpected() < LEAST_LOSSES) {
            leftOut++;
            continue;
          }
          Forecast asLost = new Forecast(cell.asLostIn(evidence.of(cell)));
          points.add(
              new Point(
                  cell,
                  evidence.experiment().name(),
                  goodput.get().mean(),
                  forecast.bitsPerSecond() / 1e6,
                  asLost.bitsPerSecond() / 1e6));
        }
      }
    }
    return new Calibration(points, leftOut);
  }

  List<Point> points() {
    return points;
  }

  /** The page. */
  public Page page(String conditions) {
    Page page = new Page("Model against measurement");
    page.paragraph(
        "Every cell with a steady rate: the prediction from the path's true parameters beside the"
            + " measurement. A ratio above 1 means that the model predicted too little. "
            + conditions);
    if (points.isEmpty()) {
      return page.paragraph("Nothing measured yet.");
    }
    if (leftOut > 0) {
      page.paragraph(
          "%d further cells are left out: fewer than %.0f losses were expected in their runs, so they measured the start of a connection."
              .formatted(leftOut, LEAST_LOSSES));
    }
    page.figure("calibration-points", scatter());
    page.figure("calibration-errors", distribution());
    page.heading(2, "The default models' errors");
    page.table(
        List.of("points", "number", "median ratio", "5 %…95 % of ratios", "off by more than 25 %"),
        summaries());
    page.heading(2, "Which model fits where");
    page.paragraph(
        "Median of measured over predicted, with the share within 25 % in brackets. Cells with BBR, and"
            + " cells that capacity limits and not congestion control, are left out.");
    page.table(header(), byModel());
    misses(page);
    return page;
  }

  private Chart scatter() {
    List<Line> lines = new ArrayList<>();
    for (CongestionControl control : CongestionControl.values()) {
      List<Point> own = points.stream().filter(point -> point.cell().control() == control).toList();
      if (!own.isEmpty()) {
        lines.add(
            Line.points(
                control.name().toLowerCase(Locale.ROOT),
                own.stream().map(Point::predicted).toList(),
                own.stream().map(Point::measured).toList(),
                List.of()));
      }
    }
    double least =
        points.stream()
            .mapToDouble(point -> Math.min(point.predicted(), point.measured()))
            .filter(value -> value > 0)
            .min()
            .orElse(0.1);
    double most = points.stream().mapToDouble(Point::predicted).max().orElse(100);
    lines.add(Line.dashed("equal", List.of(least, most), List.of(least, most)));
    return new Chart(
        "Predicted and measured goodput",
        Axis.logarithmic("predicted [Mbit/s]"),
        Axis.logarithmic("measured [Mbit/s]"),
        lines);
  }

  private Chart distribution() {
    List<Line> lines = new ArrayList<>();
    for (CongestionControl control : CongestionControl.values()) {
      List<Double> errors =
          points.stream()
              .filter(point -> point.cell().control() == control)
              .map(point -> 100 * (point.ratio() - 1))
              .sorted()
              .toList();
      if (errors.size() > 1) {
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < errors.size(); i++) {
          shares.add(100.0 * (i + 0.5) / errors.size());
        }
        lines.add(Line.solid(control.name().toLowerCase(Locale.ROOT), errors, shares));
      }
    }
    if (lines.isEmpty()) {
      lines.add(
          Line.points(
              "all", List.of(100 * (points.getFirst().ratio() - 1)), List.of(100.0), List.of()));
    }
    return new Chart(
        "Measured above the prediction",
        Axis.linear("error [%]"),
        Axis.linear("share of points at or below [%]"),
        lines);
  }

  private List<List<String>> summaries() {
    List<List<String>> rows = new ArrayList<>();
    summary(rows, "all", _ -> true);
    summary(rows, "in the models' range: loss up to 2 % a hop", Point::inRange);
    summary(rows, "the same, predicted from the actual loss", Point::inRange, Point::ratioAsLost);
    for (CongestionControl control : CongestionControl.values()) {
      String name = control.name().toLowerCase(Locale.ROOT);
      summary(
          rows,
          name + ", direct",
          point ->
              point.cell().control() == control
                  && point.cell().route().direct()
                  && point.inRange());
      summary(
          rows,
          name + ", through relays",
          point ->
              point.cell().control() == control
                  && !point.cell().route().direct()
                  && point.inRange());
    }
    return rows;
  }

  private void summary(List<List<String>> rows, String name, Predicate<Point> which) {
    summary(rows, name, which, Point::ratio);
  }

  private void summary(
      List<List<String>> rows,
      String name,
      Predicate<Point> which,
      Function<Point, Double> figure) {
    List<Double> ratios = points.stream().filter(which).map(figure).toList();
    if (ratios.isEmpty()) {
      return;
    }
    rows.add(
        List.of(
            name,
            String.valueOf(ratios.size()),
            Words.number(Sample.quantile(ratios, 0.5)),
            Words.number(Sample.quantile(ratios, 0.05))
                + "…"
                + Words.number(Sample.quantile(ratios, 0.95)),
            String.valueOf(ratios.stream().filter(ratio -> Math.abs(ratio - 1) > MISS).count())));
  }

  private static List<String> header() {
    List<String> header = new ArrayList<>(List.of("sender", "hop's loss", "cells"));
    header.addAll(MODELS.keySet());
    return header;
  }

  private List<List<String>> byModel() {
    List<List<String>> rows = new ArrayList<>();
    for (CongestionControl control : List.of(CongestionControl.RENO, CongestionControl.CUBIC)) {
      double from = 0;
      for (double to : new double[] {0.0005, 0.002, 0.01, 0.05, 1}) {
        double least = from;
        List<Point> own =
            points.stream()
                .filter(point ->
                    point.cell().control() == control && point.cell().hopControl() == control)
                .filter(point -> worstLoss(point) > least && worstLoss(point) <= to)
                .filter(Calibration::limitedByCongestionControl)
                .toList();
        if (!own.isEmpty()) {
          List<String> row =
              new ArrayList<>(
                  List.of(
                      control.name().toLowerCase(Locale.ROOT),
                      Words.number(100 * from) + "…" + Words.number(100 * to) + " %",
                      String.valueOf(own.size())));
          MODELS.values().forEach(model -> row.add(fit(own, model)));
          rows.add(row);
        }
        from = to;
      }
    }
    return rows;
  }

  private static String fit(List<Point> own, ThroughputModel model) {
    List<Double> ratios =
        own.stream()
            .map(point ->
                point.measured() * 1e6 / new Forecast(point.cell()).bitsPerSecond(_ -> model))
            .toList();
    long within = ratios.stream().filter(ratio -> Math.abs(ratio - 1) <= MISS).count();
    return "%s (%.0f %%)"
        .formatted(Words.number(Sample.quantile(ratios, 0.5)), 100.0 * within / ratios.size());
  }

  /** Highest loss of the hops of a transfer, or of the path if it is direct. */
  private static double worstLoss(Point point) {
    Cell cell = point.cell();
    return cell.route().direct()
        ? cell.lossProbability()
        : cell.links().stream().mapToDouble(link -> link.lossProbability()).max().orElse(0);
  }

  private static boolean limitedByCongestionControl(Point point) {
    return point.predicted() < 0.7 * point.cell().bitsPerSecond() / 1e6;
  }

  private void misses(Page page) {
    List<Point> missed =
        points.stream()
            .filter(point -> Math.abs(point.ratio() - 1) > MISS)
            .sorted(Comparator.comparingDouble(Point::ratio))
            .toList();
    page.heading(2, "Where the default model misses by more than 25 %");
    if (missed.isEmpty()) {
      page.paragraph("Nowhere.");
      return;
    }
    page.paragraph(
        "In a run with ten expected losses a third more or fewer are usual, and the rate varies with the"
            + " square root of the losses. The last ratio compares with the same model's prediction from the"
            + " losses that the links counted in these runs, so a miss that remains there is an error of the"
            + " model.");
    List<List<String>> rows = new ArrayList<>();
    for (Point point : missed) {
      rows.add(
          List.of(
              point.experiment() + ", " + point.cell().sweep() + ": " + Words.inputs(point.cell()),
              Words.number(point.predicted()),
              Words.number(point.measured()),
              Words.number(point.ratio()),
              Words.number(point.ratioAsLost()),
              point.inRange() ? "yes" : "no"));
    }
    page.table(
        "cell | predicted [Mbit/s] | measured [Mbit/s] | ratio | "
            + "ratio, predicted from the actual loss | in the model's range",
        rows);
  }
}
