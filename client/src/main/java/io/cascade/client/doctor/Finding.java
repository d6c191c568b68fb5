package io.cascade.client.doctor;

import org.jspecify.annotations.Nullable;

/**
 * What was found of one thing.
 *
 * @param what was looked at
 * @param found in words
 * @param fix what to do; null where nothing is to be done
 */
public record Finding(Verdict verdict, String what, String found, @Nullable String fix) {
  /** What it means. */
  public enum Verdict {
    /** Works as it should. */
    GOOD,
    /** It works, slower or with less than it could, or is not there to be looked at. */
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
