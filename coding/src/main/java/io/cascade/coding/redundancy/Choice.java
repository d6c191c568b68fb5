package io.cascade.coding.redundancy;

/** What to send next. */
public sealed interface Choice {
  /** Nothing now. */
  record Nothing() implements Choice {}

  /** The next source symbol. */
  record Source() implements Choice {}

  /** A repeated source symbol. */
  record Again(long id) implements Choice {}

  /**
   * A repair.
   *
   * @param gaps whether it covers the gaps of the newest acknowledgement below {@code first}
   * @param first id of the covered range
   * @param count number of symbols of the range, at least 1
   */
  record Repair(boolean gaps, long first, int count) implements Choice {}

  Choice NOTHING = new Nothing();
  Choice SOURCE = new Source();
}
