package io.cascade.links;

import java.math.BigDecimal;
import java.math.MathContext;

/** A probability as written by people: {@code 0.1%} or {@code 0.001}. */
final class Probability {
  private Probability() {}

  /**
   * @throws IllegalArgumentException naming the expected form
   */
  static double parse(String text) {
    String stripped = text.strip();
    boolean percent = stripped.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? stripped.substring(0, stripped.length() - 1) : stripped);
      double probability = percent ? value / 100 : value;
      if (probability >= 0 && probability <= 1) {
        return probability;
      }
    } catch (NumberFormatException e) {
      // the message below applies
    }
    throw new IllegalArgumentException("'" + text + "' (expected: a probability such as 0.1%)");
  }

  /** The short form if it is exact: {@link #parse} returns the same value. */
  static String format(double probability) {
    String percent =
        new BigDecimal(probability * 100, new MathContext(6)).stripTrailingZeros().toPlainString()
            + "%";
    return parse(percent) == probability ? percent : Double.toString(probability);
  }
}
