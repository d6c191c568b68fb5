package io.cascade.studies.multipath;

import java.util.List;
import java.util.Locale;

/**
 * What one measurement of a cell came to.
 *
 * @param key of the cell and of which repetition it is
 * @param runs one; several where a path was cut
 */
record MultipathResult(String key, List<PathRun> runs) {
  static String key(MultipathCell cell, int number, double seconds) {
    return String.format(
        Locale.ROOT,
        "%s, %s, %s, %.4g s, %d",
        cell.what(),
        MultipathCell.words(cell.paths()),
        cell.way(),
        seconds,
        number);
  }

  /** Whether all of it was measured. */
  boolean isWhole() {
    return runs.stream().allMatch(run -> run.failure() == null);
  }
}
