package io.cascade.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate in a user's notation: {@code 100Mbit}, {@code 1.5Gbit/s}, {@code 64000}. Units are
 * decimal.
 *
 * @param bitsPerSecond at least 1
 */
public record BitRate(long bitsPerSecond) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)(?:bit|bps)?(?:/s)?");

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  public static BitRate parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (form.matches()) {
      int power = form.group(2).isEmpty() ? 0 : "kmgt".indexOf(form.group(2)) + 1;
      long value = Math.round(Double.parseDouble(form.group(1)) * Math.pow(1_000, power));
      if (value >= 1) {
        return new BitRate(value);
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: a rate such as 100Mbit)");
  }

  /** Converter for picocli. */
  public static final class Converter extends ParsedOption<BitRate> {
    public Converter() {
      super(BitRate::parse);
    }
  }
}
