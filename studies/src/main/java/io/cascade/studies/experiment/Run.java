package io.cascade.studies.experiment;

/**
 * One measurement of a cell.
 *
 * @param repetition 1 for the first
 */
public record Run(Cell cell, int repetition) {
  /** Share of a run's time during which bytes have to arrive. */
  private static final double ALL_BUT_ITS_END = 0.95;

  /** Key of the run: equal for the same run of the same experiment. */
  public String key() {
    return cell.key() + " #" + repetition;
  }

  /** Whether a result belongs to this run, and not to a shorter one that the file had before. */
  public boolean isAnsweredBy(Result result) {
    return result.failure() == null
        && result.key().equals(key())
        && (cell.bytes().isPresent() || result.lasted() > ALL_BUT_ITS_END * cell.seconds());
  }
}
