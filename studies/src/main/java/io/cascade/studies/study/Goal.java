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

  /** The row of a page's table. */
  public List<String> row() {
    return List.of(what, goal, found, onPage(finding));
  }

  /** The row of a terminal's table. */
  public List<String> plainRow() {
    return List.of(what, goal, found, onTerminal(finding));
  }

  /** The word of a page, in which a miss stands out. */
  public static String onPage(Finding finding) {
    return finding == Finding.MISSED ? "**missed**" : finding.words();
  }

  /** The word of a terminal, on which a miss stands out. */
  public static String onTerminal(Finding finding) {
    return finding == Finding.MISSED ? "MISSED" : finding.words();
  }
}
