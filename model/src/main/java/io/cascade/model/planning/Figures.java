package io.cascade.model.planning;

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

  static String rate(double bitsPerSecond) {
    return new Rate(bitsPerSecond).toString();
  }

  /** A percentage with two significant digits: {@code 0.082 %}. */
  static String percent(double share) {
    BigDecimal rounded = new BigDecimal(share * 100).round(new MathContext(2));
    return rounded.stripTrailingZeros().toPlainString() + " %";
  }
}
