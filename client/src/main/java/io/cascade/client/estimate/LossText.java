package io.cascade.client.estimate;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A loss in a user's notation: {@code 0.1%}, {@code 0.001}, {@code 1e-3}, or {@code 31/10000} for a
 * count. A count has confidence bounds, and so has every result computed from it.
 *
 * @param probability exact, or with the count's bounds
 */
public record LossText(Interval probability) {
  private static final String NUMBER = "([0-9]*\\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)";
  private static final Pattern SHARE = Pattern.compile(NUMBER + "\\s*(%?)");
  private static final Pattern COUNT =
      Pattern.compile("([0-9]{1,18})\\s*(?:/|of)\\s*([0-9]{1,18})");

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  public static LossText parse(String text) {
    Matcher share = SHARE.matcher(text.strip());
    if (share.matches()) {
      double value = Double.parseDouble(share.group(1)) / (share.group(2).isEmpty() ? 1 : 100);
      if (value <= 1) {
        return new LossText(Interval.exactly(value));
      }
    }
    Matcher count = COUNT.matcher(text.strip());
    if (count.matches()) {
      long lost = Long.parseLong(count.group(1));
      long sent = Long.parseLong(count.group(2));
      if (sent >= 1 && lost <= sent) {
        return new LossText(new LossEstimate(lost, sent).interval(LossEstimate.CONFIDENCE));
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: a loss such as 0.1%, 0.001 or, counted, 31/10000)");
  }
}
