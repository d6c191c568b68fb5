package io.cascade.studies.experiment;

/**
 * One measurement of a cell.
 *
 * @param repetition 1 for the first
 */
public record Run(Cell cell, int repetition) {
  /** Share of a run's time during which bytes must come. */
  private static final double ALL_BUT_ITS_END = 0.95;

  /** The same for the same run of the same experiment. */
  public String key() {
    return cell.key() + " #" + repetition;
  }

  /** Whether this is a result of it, and of no shorter run that the file once asked for. */
  public boolean isAnsweredBy(Result result) {
    return result.failure() == null
        && result.key().equals(key())
        && (cell.bytes().isPresent() || result.lasted() > ALL_BUT_ITS_END * cell.seconds());
  }
}
