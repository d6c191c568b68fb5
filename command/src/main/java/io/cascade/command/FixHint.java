package io.cascade.command;

/** Ends a message with the fix of its failure, unless it ends with one already. */
public final class FixHint {
  private static final String FIX = "; fix: ";

  /** Names what would be accepted, which is a fix as well. */
  private static final String EXPECTED = "(expected: ";

  private FixHint() {}

  /**
   * Returns a message with a fix.
   *
   * @param message of a failure, in this project's form
   * @param fix what the user can do, if the message does not say so itself
   */
  public static String added(String message, String fix) {
    return message.contains(FIX) || message.contains(EXPECTED) ? message : message + FIX + fix;
  }
}
