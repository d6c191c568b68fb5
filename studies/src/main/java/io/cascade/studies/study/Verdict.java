package io.cascade.studies.study;

import java.util.Locale;

/** What measurements say to a claim that a value lies within a band. */
public enum Verdict {
  /** The whole interval lies inside. */
  ESTABLISHED,
  /** The value lies inside; its interval reaches out, or there is none. */
  CONSISTENT,
  /** The value lies outside; its interval reaches in, or there is none. */
  OPEN,
  /** The whole interval lies outside. */
  REFUTED,
  /** Nothing was measured. */
  NOT_MEASURED;

  /**
   * Holds a value against a band.
   *
   * @param low end of the value's interval; not a number where there is none, as {@code high} then
   * @param least end of the band
   */
  public static Verdict of(double low, double value, double high, double least, double most) {
    if (value >= least && value <= most) {
      return low >= least && high <= most ? ESTABLISHED : CONSISTENT;
    }
    return low > most || high < least ? REFUTED : OPEN;
  }

  /** Returns the name for people. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
