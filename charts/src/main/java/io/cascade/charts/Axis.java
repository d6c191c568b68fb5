package io.cascade.charts;

/**
 * One direction of a chart.
 *
 * @param label what is drawn along it, with its unit: {@code round-trip time [ms]}
 */
public record Axis(String label, Scale scale) {

  /** Spread of values along an axis. */
  public enum Scale {
    /** Equal steps add. */
    LINEAR,
    /** Equal steps multiply; values must be positive. */
    LOGARITHMIC
  }

  /** Equal steps add. */
  public static Axis linear(String label) {
    return new Axis(label, Scale.LINEAR);
  }

  /** Equal steps multiply. */
  public static Axis logarithmic(String label) {
    return new Axis(label, Scale.LOGARITHMIC);
  }
}
