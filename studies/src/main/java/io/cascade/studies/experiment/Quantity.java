package io.cascade.studies.experiment;

import io.cascade.command.DataSize;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of numbers with units, as written in experiment files. */
public final class Quantity {
  private static final Pattern FORM =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?(?:[eE]-?[0-9]+)?)\\s*([a-zA-Z%]*)");

  private Quantity() {}

  /** Parses seconds, such as {@code 64ms}, {@code 1.5s} or {@code 250us}. */
  public static double seconds(String text) {
    Matcher form = matched(text, "a time such as 64ms or 8s");
    double value = Double.parseDouble(form.group(1));
    return switch (form.group(2)) {
      case "s" -> value;
      case "ms" -> value / 1e3;
      case "us" -> value / 1e6;
      default -> throw wrong(text, "a time such as 64ms or 8s");
    };
  }

  /** Parses bits per second, such as {@code 32Mbit} or {@code 512kbit}. */
  public static double bitsPerSecond(String text) {
    Matcher form = matched(text, "a rate such as 32Mbit");
    double value = Double.parseDouble(form.group(1));
    double rate =
        switch (form.group(2).toLowerCase(Locale.ROOT)) {
          case "bit" -> value;
          case "kbit" -> value * 1e3;
          case "mbit" -> value * 1e6;
          case "gbit" -> value * 1e9;
          default -> throw wrong(text, "a rate such as 32Mbit");
        };
    if (!(rate > 0)) {
      throw wrong(text, "a rate above 0");
    }
    return rate;
  }

  /** Parses a share between 0 and 1, such as {@code 0.1%} or {@code 0.001}. */
  public static double share(String text) {
    Matcher form = matched(text, "a share such as 0.1%");
    double value = Double.parseDouble(form.group(1));
    double share =
        switch (form.group(2)) {
          case "%" -> value / 100;
          case "" -> value;
          default -> throw wrong(text, "a share such as 0.1%");
        };
    if (share > 1) {
      throw wrong(text, "at most 100%");
    }
    return share;
  }

  /** Parses a number of bytes of at least 1, such as {@code 64KiB} or {@code 2MB}. */
  public static long bytes(String text) {
    long bytes = DataSize.parse(text).bytes();
    if (bytes < 1) {
      throw wrong(text, "at least one byte");
    }
    return bytes;
  }

  private static Matcher matched(String text, String expected) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw wrong(text, expected);
    }
    return form;
  }

  private static IllegalArgumentException wrong(String text, String expected) {
    return new IllegalArgumentException("'" + text + "' (expected: " + expected + ")");
  }
}
