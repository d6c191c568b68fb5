package io.cascade.coding.redundancy;

/** Next thing to send. */
public sealed interface Choice {
  /** Nothing now. */
  record Nothing() implements Choice {}

  /** The next source symbol. */
  record Source() implements Choice {}

  /** A source symbol once more. */
  record Again(long id) implements Choice {}

  /**
   * A repair.
   *
   * @param gaps whether the gaps of the newest acknowledgement below {@code first} are covered
   * @param first id of the range that is covered
   * @param count its symbols, at least 1
   */
  record Repair(boolean gaps, long first, int count) implements Choice {}

  Choice NOTHING = new Nothing();
  Choice SOURCE = new Source();
}
