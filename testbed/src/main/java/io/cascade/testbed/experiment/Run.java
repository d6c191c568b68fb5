package io.cascade.testbed.experiment;

/**
 * One measurement of a cell.
 *
 * @param repetition 1 for the first
 */
public record Run(Cell cell, int repetition) {

  /** The same for the same run of the same experiment. */
  public String key() {
    return cell.key() + " #" + repetition;
  }
}
