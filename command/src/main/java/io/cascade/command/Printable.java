package io.cascade.command;

import java.util.regex.Pattern;

/**
 * Makes untrusted text fit for a terminal or a log: without control characters, which move the
 * cursor or end the line, and without format characters such as the bidirectional ones, which
 * change the order in which text is read (Unicode categories Cc, Cf, Cs, Zl and Zp).
 */
public final class Printable {
  private static final Pattern NOT_PRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private Printable() {}

  /** The text as one line, with a space in place of every such character. */
  public static String line(String text) {
    return NOT_PRINTABLE.matcher(text).replaceAll(" ");
  }
}
