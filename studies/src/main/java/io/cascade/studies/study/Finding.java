package io.cascade.studies.study;

/**
 * Relation of a measured value to a goal of this project or to a claim of a source. A goal concerns
 * the value; a claim states a range for it, so the interval counts as well.
 */
public enum Finding {
  /** The value reaches the goal. */
  MET("met"),
  /** The whole interval lies in the claimed range. */
  ESTABLISHED("established"),
  /** The value lies in the claimed range; its interval extends beyond, or there is no interval. */
  CONSISTENT("consistent"),
  /**
   * The value misses, but its interval reaches the goal or the claimed range; for a claim, the
   * interval may also be missing.
   */
  OPEN("open"),
  /** The whole interval misses the goal. */
  MISSED("missed"),
  /** The whole interval lies outside the claimed range. */
  REFUTED("refuted"),
  NOT_MEASURED("not measured");

  private final String words;

  Finding(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  /** Finding for a goal without an interval. */
  public static Finding of(boolean met) {
    return met ? MET : MISSED;
  }

  /**
   * Finding for several values that have to reach a goal.
   *
   * @param met number of values that reach it
   * @param missed number of values whose whole interval misses it
   * @param of number of all values
   * @param share of the values that has to reach it, 0 to 1
   */
  public static Finding of(long met, long missed, long of, double share) {
    return met >= share * of ? MET : missed > (1 - share) * of ? MISSED : OPEN;
  }

  /**
   * Judges a value by a claim that it lies within a band.
   *
   * @param low end of the value's interval; NaN without an interval, as is {@code high} then
   * @param least end of the band
   */
  public static Finding ofClaim(double low, double value, double high, double least, double most) {
    if (value >= least && value <= most) {
      return low >= least && high <= most ? ESTABLISHED : CONSISTENT;
    }
    return low > most || high < least ? REFUTED : OPEN;
  }
}
