package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.units.Rate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them. */
final class Figures {

  private Figures() {}

  /** {@code 850 ms}, {@code 41.2 s}, {@code 12 min 05 s}, {@code 2 h 05 min}. */
  static String seconds(double value) {
    if (Double.isInfinite(value)) {
      return "never";
    }
    if (value < 1) {
      return String.format(Locale.ROOT, "%.0f ms", value * 1e3);
    }
    if (value < 120) {
      return String.format(Locale.ROOT, "%.1f s", value);
    }
    long whole = Math.round(value);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole % 3600 / 60);
  }

  /** {@code 41.2 s (33.0 s–55.1 s)}. */
  static String seconds(Interval interval) {
    return seconds(interval.likely())
        + " ("
        + seconds(interval.low())
        + "–"
        + seconds(interval.high())
        + ")";
  }

  static String rate(double bitsPerSecond) {
    return new Rate(bitsPerSecond).toString();
  }

  /** {@code 2.10 Mbit/s (1.52 Mbit/s–3.00 Mbit/s)}. */
  static String rate(Interval interval) {
    return rate(interval.likely())
        + " ("
        + rate(interval.low())
        + "–"
        + rate(interval.high())
        + ")";
  }

  /** A percentage with two significant digits: {@code 0.082 %}. */
  static String percent(double share) {
    BigDecimal rounded = new BigDecimal(share * 100).round(new MathContext(2));
    return rounded.stripTrailingZeros().toPlainString() + " %";
  }

  /** {@code 2.42 times}. */
  static String times(double ratio) {
    return Double.isInfinite(ratio)
        ? "any number of times"
        : String.format(Locale.ROOT, "%.2f times", ratio);
  }

  /** {@code 73 %}, and neither 0 nor 100 unless it is that. */
  static String wholePercent(double share) {
    if (share > 0 && share < 0.01) {
      return "less than 1 %";
    }
    if (share > 0.99 && share < 1) {
      return "more than 99 %";
    }
    return Math.round(share * 100) + " %";
  }

  /** A price with up to four significant digits: {@code 0.0125}. */
  static String price(double value) {
    if (Double.isInfinite(value)) {
      return "any price";
    }
    return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }
}
