package io.cascade.client.estimate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers for machines and for labels. */
final class Figures {
  private Figures() {}

  /**
   * Formats a number with at most so many significant digits, without an exponent; empty where it
   * is not finite.
   */
  static String shortest(double value, int digits) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal rounded =
        new BigDecimal(value)
            .round(new MathContext(digits, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }
}
