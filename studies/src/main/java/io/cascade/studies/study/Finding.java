package io.cascade.studies.study;

/** Relation of a measured value to a goal. */
public enum Finding {
  /** The value reaches the goal. */
  MET("met"),
  /** The value misses the goal, but its interval reaches it. */
  OPEN("open"),
  /** The whole interval misses the goal. */
  MISSED("missed"),
  NOT_MEASURED("not measured");

  private final String words;

  Finding(String words) {
    this.words = words;
  }

  public String words() {
    return words;
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
}
