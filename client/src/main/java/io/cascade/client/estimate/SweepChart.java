package io.cascade.client.estimate;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.model.estimate.Estimate;
import io.cascade.model.estimate.TransferTime;
import io.cascade.model.estimate.WayEstimate;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A sweep as a chart: its first dimension along x, a line for every combination of the others. If
 * every point has the same relays, the direct connection is drawn beside the cascade, dashed.
 */
public final class SweepChart {
  private static final int MOST_LINES = 40;

  /** Ratio of greatest to least value above which an axis is logarithmic. */
  private static final double WIDE = 20;

  private SweepChart() {}

  /** Quantity that is drawn along y. */
  public enum Quantity {
    /** The steady rate divided by the capacity. */
    UTILISATION("utilisation [%]"),
    /** The steady rate. */
    RATE("rate [Mbit/s]"),
    /** Time of the transfer. */
    TIME("time [s]"),
    /** Factor by which the cascade is faster. */
    GAIN("gain over the direct connection");

    private final String axis;

    Quantity(String axis) {
      this.axis = axis;
    }

    private double of(Estimate point, WayEstimate way) {
      return switch (this) {
        case UTILISATION -> 100 * way.utilisation().orElse(Double.NaN);
        case RATE -> way.bitsPerSecond().likely() / 1e6;
        case TIME -> way.time().map(TransferTime::total).map(Interval::likely).orElse(Double.NaN);
        case GAIN ->
            point.gain().map(Interval::likely).orElse(point.cascade().isEmpty() ? 1.0 : Double.NaN);
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Draws the chart.
   *
   * @param scenarios of the sweep, in its order
   * @param points the estimate of each
   * @throws IllegalArgumentException where there is nothing to draw, or too much
   */
  public static Chart of(
      String title,
      Sweep sweep,
      List<Scenario> scenarios,
      List<Estimate> points,
      Quantity quantity) {
    Map<String, Points> lines = new LinkedHashMap<>();
    boolean sameRelays = !sweep.varies(Dimension.RELAYS) && points.getFirst().cascade().isPresent();
    for (int i = 0; i < points.size(); i++) {
      Estimate point = points.get(i);
      double x = sweep.first().onAxis(scenarios.get(i).value(sweep.first()).orElseThrow());
      String name = name(sweep, scenarios.get(i));
      WayEstimate way = point.cascade().orElse(point.direct());
      String solid = name.isEmpty() ? (sameRelays ? "cascade" : quantity.toString()) : name;
      lines.computeIfAbsent(solid, any -> new Points(false)).add(x, quantity.of(point, way));
      if (sameRelays && quantity != Quantity.GAIN) {
        lines
            .computeIfAbsent(("direct " + name).strip(), any -> new Points(true))
            .add(x, quantity.of(point, point.direct()));
      }
    }
    if (lines.size() > MOST_LINES) {
      throw new IllegalArgumentException(
          lines.size() + " lines (expected: at most " + MOST_LINES + ", fewer values to sweep)");
    }
    boolean nothingToGain =
        quantity == Quantity.GAIN && points.stream().allMatch(point -> point.cascade().isEmpty());
    if (nothingToGain || lines.values().stream().allMatch(Points::areUnknown)) {
      throw new IllegalArgumentException(
          quantity
              + ": known of no point (expected: "
              + switch (quantity) {
                case UTILISATION -> "with --capacity";
                case TIME -> "with --bytes";
                case GAIN -> "with --relays or --hops";
                case RATE -> "a path with some limit";
              }
              + ")");
    }
    List<Line> drawn = new ArrayList<>();
    lines.forEach((name, line) -> drawn.add(line.drawn(name)));
    return new Chart(
        title,
        axis(
            sweep.first().axis(),
            lines.values().stream().flatMap(line -> line.xs.stream()).toList()),
        quantity == Quantity.UTILISATION
            ? Axis.linear(quantity.axis)
            : axis(
                quantity.axis, lines.values().stream().flatMap(line -> line.ys.stream()).toList()),
        drawn);
  }

  private static String name(Sweep sweep, Scenario scenario) {
    return Arrays.stream(Dimension.values())
        .filter(dimension -> sweep.varies(dimension) && dimension != sweep.first())
        .map(dimension -> dimension.label(scenario.value(dimension).orElseThrow()))
        .collect(Collectors.joining(", "));
  }

  private static Axis axis(String label, List<Double> values) {
    List<Double> finite = values.stream().filter(Double::isFinite).toList();
    double least = finite.stream().mapToDouble(value -> value).min().orElse(0);
    double most = finite.stream().mapToDouble(value -> value).max().orElse(0);
    return least > 0 && most > WIDE * least ? Axis.logarithmic(label) : Axis.linear(label);
  }

  private static final class Points {
    private final boolean dashed;
    private final List<Double> xs = new ArrayList<>();
    private final List<Double> ys = new ArrayList<>();

    Points(boolean dashed) {
      this.dashed = dashed;
    }

    void add(double x, double y) {
      xs.add(x);
      ys.add(y);
    }

    boolean areUnknown() {
      return ys.stream().noneMatch(Double::isFinite);
    }

    Line drawn(String name) {
      return dashed ? Line.dashed(name, xs, ys) : Line.solid(name, xs, ys);
    }
  }
}
