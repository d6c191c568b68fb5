package io.cascade.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration in a user's notation: {@code 64ms}, {@code 1.5s}, {@code 7d}. A unit is required:
 * without one seconds and milliseconds could not be told apart.
 *
 * @param seconds greater than 0
 */
public record TimeSpan(double seconds) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]*\\.?[0-9]+)\\s*(us|µs|ms|s|min|m|h|d)");

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  public static TimeSpan parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (form.matches()) {
      double seconds =
          Double.parseDouble(form.group(1))
              * switch (form.group(2)) {
                case "s" -> 1;
                case "ms" -> 1e-3;
                case "min", "m" -> 60;
                case "h" -> 3_600;
                case "d" -> 86_400;
                default -> 1e-6;
              };
      if (seconds > 0 && Double.isFinite(seconds)) {
        return new TimeSpan(seconds);
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: a time such as 64ms or 1.5s)");
  }

  /** Converter for picocli. */
  public static final class Converter extends ParsedOption<TimeSpan> {
    public Converter() {
      super(TimeSpan::parse);
    }
  }
}
