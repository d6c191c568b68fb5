package io.cascade.client.doctor;

import org.jspecify.annotations.Nullable;

/**
 * Result of one check.
 *
 * @param what what was checked
 * @param found the result in words
 * @param fix what to do; null where nothing is to be done
 */
public record Finding(Verdict verdict, String what, String found, @Nullable String fix) {
  /** Severity of a finding. */
  public enum Verdict {
    /** It works as it should. */
    GOOD,
    /** It works, but slower or with less than is possible, or it is absent and was not checked. */
    NOTE,
    /** It does not work. */
    BAD
  }

  static Finding good(String what, String found) {
    return new Finding(Verdict.GOOD, what, found, null);
  }

  static Finding note(String what, String found, @Nullable String fix) {
    return new Finding(Verdict.NOTE, what, found, fix);
  }

  static Finding bad(String what, String found, String fix) {
    return new Finding(Verdict.BAD, what, found, fix);
  }
}
