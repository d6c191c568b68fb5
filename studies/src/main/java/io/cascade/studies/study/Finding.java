package io.cascade.studies.study;

/**
 * Relation of a measured value to a goal of this project or to a claim of somebody else. A goal
 * asks for the value; a claim says where it lies, so that its interval counts as well.
 */
public enum Finding {
  /** The value reaches the goal. */
  MET("met"),
  /** The whole interval lies where the claim says. */
  ESTABLISHED("established"),
  /** The value lies where the claim says; its interval reaches out, or there is none. */
  CONSISTENT("consistent"),
  /** The value misses, but its interval reaches where it should; a claim's may also have none. */
  OPEN("open"),
  /** The whole interval misses the goal. */
  MISSED("missed"),
  /** The whole interval lies elsewhere than the claim says. */
  REFUTED("refuted"),
  NOT_MEASURED("not measured");

  private final String words;

  Finding(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  /** The finding of a goal that is reached or not, without an interval. */
  public static Finding of(boolean met) {
    return met ? MET : MISSED;
  }

  /**
   * The finding of several values that are to reach a goal.
   *
   * @param met how many reach it
   * @param missed how many miss it with their whole interval
   * @param of all of them
   * @param share of them that is enough, 0 to 1
   */
  public static Finding of(long met, long missed, long of, double share) {
    return met >= share * of ? MET : missed > (1 - share) * of ? MISSED : OPEN;
  }

  /**
   * Holds a value against a claim that it lies within a band.
   *
   * @param low end of the value's interval; not a number where there is none, as {@code high} then
   * @param least end of the band
   */
  public static Finding ofClaim(double low, double value, double high, double least, double most) {
    if (value >= least && value <= most) {
      return low >= least && high <= most ? ESTABLISHED : CONSISTENT;
    }
    return low > most || high < least ? REFUTED : OPEN;
  }
}
