package io.cascade.model.units;

import java.util.Locale;

/**
 * A data rate in bits per second; infinite if nothing known limits it.
 *
 * <p>Used in the model's interface to people and other modules. Inner computations use {@code
 * double}, with the unit in the name.
 */
public record Rate(double bitsPerSecond) implements Comparable<Rate> {

  /** Checks the value. */
  public Rate {
    if (!(bitsPerSecond >= 0)) {
      throw Require.outside("bitsPerSecond", bitsPerSecond, ">= 0");
    }
  }

  /** {@code 32e6} bits per second for 32. */
  public static Rate ofMegabits(double megabitsPerSecond) {
    return new Rate(megabitsPerSecond * 1e6);
  }

  @Override
  public int compareTo(Rate other) {
    return Double.compare(bitsPerSecond, other.bitsPerSecond);
  }

  /**
   * The rate with three significant digits in the largest fitting decimal unit: {@code 2.10
   * Mbit/s}.
   */
  @Override
  public String toString() {
    if (Double.isInfinite(bitsPerSecond)) {
      return "unlimited";
    }
    if (bitsPerSecond >= 1e9) {
      return digits(bitsPerSecond / 1e9) + " Gbit/s";
    }
    if (bitsPerSecond >= 1e6) {
      return digits(bitsPerSecond / 1e6) + " Mbit/s";
    }
    if (bitsPerSecond >= 1e3) {
      return digits(bitsPerSecond / 1e3) + " kbit/s";
    }
    return digits(bitsPerSecond) + " bit/s";
  }

  private static String digits(double value) {
    String pattern = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, pattern, value);
  }
}
