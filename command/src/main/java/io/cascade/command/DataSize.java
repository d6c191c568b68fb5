package io.cascade.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of bytes in a user's notation: {@code 4MiB}, {@code 100MB}, {@code 65536}. Binary units
 * ({@code KiB}, {@code MiB}, {@code GiB}, {@code TiB}) count by 1,024, decimal ones ({@code kB},
 * {@code MB}, {@code GB}, {@code TB}) by 1,000.
 *
 * @param bytes at least 0
 */
public record DataSize(long bytes) {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)(i?)b?");

  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
    }
  }

  /**
   * @throws IllegalArgumentException naming what is expected
   */
  public static DataSize parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: a size such as 4MiB or 100MB)");
    }
    double base = form.group(3).isEmpty() ? 1_000 : 1_024;
    int power = "kmgt".indexOf(form.group(2)) + 1;
    double factor = form.group(2).isEmpty() ? 1 : Math.pow(base, power);
    return new DataSize(Math.round(Double.parseDouble(form.group(1)) * factor));
  }

  /** Formats a size for people, in binary units. */
  public static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1_024 && unit < units.length - 1) {
      value /= 1_024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.2f %s", value, units[unit]);
  }

  /** Converter for picocli. */
  public static final class Converter extends ParsedOption<DataSize> {
    public Converter() {
      super(DataSize::parse);
    }
  }

  /** Converter for picocli that refuses 0. */
  public static final class PositiveConverter extends ParsedOption<DataSize> {
    public PositiveConverter() {
      super(DataSize::positive);
    }
  }

  private static DataSize positive(String text) {
    DataSize size = parse(text);
    if (size.bytes() == 0) {
      throw new IllegalArgumentException("'" + text + "' (expected: 1 byte or more)");
    }
    return size;
  }
}
