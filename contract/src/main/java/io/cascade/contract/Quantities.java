package io.cascade.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers with their units, short enough for a table. Unknown values are a dash. */
public final class Quantities {
  private static final String UNKNOWN = "-";

  private Quantities() {}

  /** A duration, such as {@code 8.19 s}, {@code 3 min 05 s}, {@code 12 ms}. */
  public static String seconds(@Nullable Double seconds) {
    if (seconds == null) {
      return UNKNOWN;
    }
    if (seconds < 1) {
      return millis(seconds * 1_000);
    }
    if (seconds < 120) {
      return three(seconds) + " s";
    }
    long whole = Math.round(seconds);
    if (whole < 7_200) {
      return String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60);
    }
    long minutes = Math.round(seconds / 60);
    return String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
  }

  /** A duration in milliseconds, such as {@code 12.5 ms}. */
  public static String millis(@Nullable Double millis) {
    return millis == null ? UNKNOWN : three(millis) + " ms";
  }

  /** A rate, such as {@code 940 Mbit/s}. */
  public static String rate(@Nullable Double bitsPerSecond) {
    if (bitsPerSecond == null) {
      return UNKNOWN;
    }
    String[] units = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
    double value = bitsPerSecond;
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1_000;
      unit++;
    }
    return three(value) + " " + units[unit];
  }

  /** A share, such as {@code 0.12 %}. */
  public static String percent(@Nullable Double fraction) {
    return fraction == null ? UNKNOWN : three(fraction * 100) + " %";
  }

  /** An age, such as {@code 2 s ago}, {@code 5 min ago}, {@code 3 h ago}, {@code 9 d ago}. */
  public static String ago(Instant then, Instant now) {
    return ago(Duration.between(then, now));
  }

  /** The same for an age; a negative one counts as 0. */
  public static String ago(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + " s ago";
    }
    if (seconds < 7_200) {
      return seconds / 60 + " min ago";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h ago" : seconds / 86_400 + " d ago";
  }

  /** Three significant digits, without an exponent. */
  private static String three(double value) {
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.01 ? 2 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
