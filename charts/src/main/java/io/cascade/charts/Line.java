package io.cascade.charts;

import java.util.List;

/**
 * Points of a chart that belong together.
 *
 * @param name for the legend; no two lines of a chart may share it
 * @param group lines of one group have one colour
 * @param errors error of each point, up and down; empty if unknown
 * @param drawing as a line or as points
 */
public record Line(
    String name,
    String group,
    List<Double> x,
    List<Double> y,
    List<Double> errors,
    Drawing drawing) {

  /** Form in which the points are drawn. */
  public enum Drawing {
    /** Connected. */
    SOLID,
    /** Connected by dashes, for comparison. */
    DASHED,
    /** Not connected, each marked. */
    POINTS
  }

  /** Checks that the lists belong together. */
  public Line {
    x = List.copyOf(x);
    y = List.copyOf(y);
    errors = List.copyOf(errors);
    if (x.isEmpty() || x.size() != y.size()) {
      throw new IllegalArgumentException(
          "points of "
              + name
              + ": "
              + x.size()
              + " and "
              + y.size()
              + " (expected: as many, some)");
    }
    if (!errors.isEmpty() && errors.size() != x.size()) {
      throw new IllegalArgumentException(
          "errors of " + name + ": " + errors.size() + " (expected: none or " + x.size() + ")");
    }
  }

  /** Makes a line of a formula's values: connected. */
  public static Line solid(String name, List<Double> x, List<Double> y) {
    return new Line(name, name, x, y, List.of(), Drawing.SOLID);
  }

  /** Makes a line for comparison: connected by dashes. */
  public static Line dashed(String name, List<Double> x, List<Double> y) {
    return new Line(name, name, x, y, List.of(), Drawing.DASHED);
  }

  /** Makes points of measured values: marked, with the error of each. */
  public static Line points(String name, List<Double> x, List<Double> y, List<Double> errors) {
    return new Line(name, name, x, y, errors, Drawing.POINTS);
  }

  /** The same line in the colour of another group. */
  public Line in(String otherGroup) {
    return new Line(name, otherGroup, x, y, errors, drawing);
  }
}
