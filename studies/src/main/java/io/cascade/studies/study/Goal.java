package io.cascade.studies.study;

import java.util.List;

/**
 * A goal and what was found.
 *
 * @param what is to reach it
 * @param goal in words
 * @param found in words; empty where nothing was measured
 */
public record Goal(String what, String goal, String found, Finding finding) {
  /** A goal for which nothing was measured. */
  public static Goal notMeasured(String what, String goal) {
    return new Goal(what, goal, "", Finding.NOT_MEASURED);
  }

  /** The row of a page's table, in which a miss stands out. */
  List<String> row() {
    String words = finding.words();
    return List.of(what, goal, found, finding == Finding.MISSED ? "**" + words + "**" : words);
  }
}
