package io.cascade.studies.study;

import java.util.List;

/**
 * A goal and its measured value.
 *
 * @param what quantity that has to reach it
 * @param goal in words
 * @param found value in words; empty if nothing was measured
 */
public record Goal(String what, String goal, String found, Finding finding) {
  /** A goal for which nothing was measured. */
  public static Goal notMeasured(String what, String goal) {
    return new Goal(what, goal, "", Finding.NOT_MEASURED);
  }

  /** The row of a page's table, with a miss in bold. */
  List<String> row() {
    String words = finding.words();
    return List.of(what, goal, found, finding == Finding.MISSED ? "**" + words + "**" : words);
  }
}
