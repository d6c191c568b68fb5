package io.cascade.relay.chain;

import java.util.regex.Pattern;

/**
 * Ports from {@code first} to {@code last}, both included.
 *
 * @param first 1 to 65535
 * @param last not below first
 */
public record PortRange(int first, int last) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");

  public PortRange {
    if (first < 1 || last > 65_535 || first > last) {
      throw new IllegalArgumentException(
          first + "-" + last + " (expected: FIRST-LAST within 1 to 65535)");
    }
  }

  /**
   * Parses FIRST-LAST.
   *
   * @throws IllegalArgumentException naming the expected form
   */
  public static PortRange parse(String text) {
    var form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: FIRST-LAST, such as 20000-20999)");
    }
    return new PortRange(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
  }

  boolean contains(int port) {
    return first <= port && port <= last;
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
