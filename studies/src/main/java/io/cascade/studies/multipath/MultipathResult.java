package io.cascade.studies.multipath;

import java.util.List;
import java.util.Locale;

/**
 * Result of one measurement of a cell.
 *
 * @param key of the cell and of the repetition
 * @param runs one; several if a path was cut
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

  /** Whether all runs succeeded. */
  boolean isWhole() {
    return runs.stream().allMatch(run -> run.failure() == null);
  }
}
