package io.cascade.charts;

/**
 * One axis of a chart.
 *
 * @param label text along it, with its unit: {@code round-trip time [ms]}
 */
public record Axis(String label, Scale scale) {

  /** Spread of values along an axis. */
  public enum Scale {
    /** Equal steps add a constant. */
    LINEAR,
    /** Equal steps multiply by a constant; values must be positive. */
    LOGARITHMIC
  }

  /** An axis on which equal steps add a constant. */
  public static Axis linear(String label) {
    return new Axis(label, Scale.LINEAR);
  }

  /** An axis on which equal steps multiply by a constant. */
  public static Axis logarithmic(String label) {
    return new Axis(label, Scale.LOGARITHMIC);
  }
}
