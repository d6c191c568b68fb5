package io.cascade.studies.coded;

/** Runs as a lab would report them. */
final class Runs {
  private Runs() {}

  /**
   * A run.
   *
   * @param ofBest of what the link can carry
   */
  static LabRun of(LabCell cell, int number, double ofBest, double share) {
    double best = 0.957e6 * cell.megabits() * (1 - LabRun.lossOf(cell));
    return new LabRun(
        cell,
        number,
        20,
        ofBest * best,
        0,
        share,
        1,
        1.1,
        1.2,
        0,
        0,
        1,
        1.5,
        0.1,
        0,
        0,
        0,
        0,
        1,
        null);
  }
}
