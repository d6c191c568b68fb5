package io.cascade.studies.report;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.ChartRequest;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws the charts that an experiment file requests: measurements as points, the model as lines.
 */
final class RequestedChart {
  private static final Pattern COUNT = Pattern.compile("([0-9]+) .*");

  private final ChartRequest wish;
  private final Evidence evidence;

  RequestedChart(ChartRequest wish, Evidence evidence) {
    this.wish = wish;
    this.evidence = evidence;
  }

  /**
   * A point of a line. Both values of a gain are in percent above the cell with which it is
   * compared.
   */
  private record Point(double x, Optional<Sample> measured, double model) {}

  /** The chart; empty if nothing was measured. */
  Optional<Chart> draw() {
    Map<String, List<Point>> groups = new LinkedHashMap<>();
    for (Cell cell : evidence.experiment().cells()) {
      if (applies(cell, wish.where())) {
        point(cell)
            .ifPresent(point ->
                groups
                    .computeIfAbsent(
                        cell.inputs().getOrDefault(wish.lines(), "all"), _ -> new ArrayList<>())
                    .add(point));
      }
    }
    List<Line> lines = new ArrayList<>();
    groups.forEach((name, points) -> {
      points.sort(Comparator.comparingDouble(Point::x));
      List<Point> known = points.stream().filter(p -> Double.isFinite(p.model())).toList();
      if (!known.isEmpty()) {
        lines.add(
            Line.solid(
                    name + ", model",
                    known.stream().map(Point::x).toList(),
                    known.stream().map(Point::model).toList())
                .in(name));
      }
      List<Point> seen = points.stream().filter(p -> p.measured().isPresent()).toList();
      if (!seen.isEmpty()) {
        lines.add(
            Line.points(
                    name + ", measured",
                    seen.stream().map(Point::x).toList(),
                    seen.stream().map(p -> p.measured().orElseThrow().mean()).toList(),
                    errors(seen))
                .in(name));
      }
    });
    if (lines.stream().noneMatch(line -> line.drawing() == Line.Drawing.POINTS)) {
      return Optional.empty();
    }
    String y = wish.gainOver().isPresent() ? "gain [%]" : Words.axis(wish.y());
    return Optional.of(
        new Chart(
            wish.title(),
            wish.logX() ? Axis.logarithmic(xLabel()) : Axis.linear(xLabel()),
            wish.logY() ? Axis.logarithmic(y) : Axis.linear(y),
            lines));
  }

  private static List<Double> errors(List<Point> seen) {
    return seen.stream()
        .map(p -> p.measured().orElseThrow().halfWidth())
        .map(width -> Double.isNaN(width) ? 0 : width)
        .toList();
  }

  private Optional<Point> point(Cell cell) {
    double x = x(cell.inputs().getOrDefault(wish.x(), ""));
    Claim.Figure y = wish.y();
    Optional<Sample> measured = evidence.sample(cell, y);
    double model = Evidence.corrected(cell, y);
    if (wish.gainOver().isEmpty()) {
      return Optional.of(new Point(x, measured, model));
    }
    Optional<Cell> base = baseOf(cell, wish.gainOver().get());
    if (base.isEmpty() || base.get().equals(cell)) {
      return Optional.empty();
    }
    // A shorter time and a higher rate are gains.
    boolean less = y == Claim.Figure.SECONDS || y == Claim.Figure.TOTAL;
    double baseModel = Evidence.corrected(base.get(), y);
    Optional<Sample> baseMeasured = evidence.sample(base.get(), y);
    double gain = less ? baseModel / model : model / baseModel;
    return Optional.of(
        new Point(
            x,
            measured.isEmpty() || baseMeasured.isEmpty()
                ? Optional.empty()
                : Optional.of(gains(measured.get(), baseMeasured.get(), less)),
            100 * (gain - 1)));
  }

  /** Gain of each run over the mean of the cell with which it is compared. */
  private static Sample gains(Sample measured, Sample base, boolean less) {
    double mean = base.mean();
    return new Sample(
        measured.values().stream()
            .map(value -> 100 * ((less ? mean / value : value / mean) - 1))
            .toList());
  }

  /** The cell that differs only in the inputs that select the cell of comparison. */
  private Optional<Cell> baseOf(Cell cell, Map<String, String> named) {
    return evidence.experiment().cells().stream()
        .filter(other -> other.sweep().equals(cell.sweep()) && other.matches(named))
        .filter(other ->
            other.inputs().entrySet().stream()
                .allMatch(input ->
                    named.containsKey(input.getKey())
                        || input.getValue().equals(cell.inputs().get(input.getKey()))))
        .findFirst();
  }

  /**
   * Whether the cell has the inputs. Inputs that a cell lacks, such as the loss division of a
   * direct cell, are ignored.
   */
  private static boolean applies(Cell cell, Map<String, String> where) {
    return where.entrySet().stream()
        .allMatch(want ->
            want.getKey().equals("sweep")
                ? want.getValue().equals(cell.sweep())
                : !cell.inputs().containsKey(want.getKey())
                    || want.getValue().equals(cell.inputs().get(want.getKey())));
  }

  private String xLabel() {
    return switch (wish.x()) {
      case "rtt" -> "round-trip time [ms]";
      case "loss" -> "loss [%]";
      case "rate" -> "capacity [Mbit/s]";
      case "bytes" -> "size [KiB]";
      case "route" -> "relays";
      case "at" -> "where the relay stands [% of the path]";
      default -> wish.x();
    };
  }

  private double x(String text) {
    return switch (wish.x()) {
      case "rtt" -> 1e3 * Quantity.seconds(text);
      case "loss" -> 100 * Quantity.share(text);
      case "rate" -> Quantity.bitsPerSecond(text) / 1e6;
      case "bytes" -> Quantity.bytes(text) / 1024.0;
      case "at" -> 100 * Quantity.share(text);
      default -> {
        Matcher count = COUNT.matcher(text);
        yield count.matches() ? Double.parseDouble(count.group(1)) : 0;
      }
    };
  }
}
