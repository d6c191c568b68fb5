package io.cascade.studies.topologies;

import java.util.ArrayList;
import java.util.List;

/**
 * Scenario: the inputs of rules, and the true values.
 *
 * @param name for file names
 * @param title for readers
 * @param known one grid for each draw of errors; pairs that the truth lacks are left out
 * @param truth grid by which routes are judged
 */
record Scenario(String name, String title, List<CloudGrid> known, CloudGrid truth) {

  /** Relative standard deviations of throughputs in the noisy scenarios. */
  private static final double[] ERRORS = {0.1, 0.2, 0.3};

  /** Least round trips are measured more exactly than rates. */
  private static final double ROUND_TRIP_ERROR = 0.02;

  private static final int DRAWS = 3;

  /** Restricts the known grids to pairs that can be judged. */
  Scenario {
    CloudGrid judged = truth;
    known = known.stream().map(grid -> grid.within(judged)).toList();
  }

  /** Scenarios of the report: exact inputs, inputs with errors, inputs of another date. */
  static List<Scenario> all() {
    CloudGrid main = CloudGrid.published(PublishedTable.CLOUD_THROUGHPUT);
    CloudGrid earlier = CloudGrid.published(PublishedTable.CLOUD_THROUGHPUT_EARLIER);
    CloudGrid later = CloudGrid.published(PublishedTable.CLOUD_THROUGHPUT_LATER);
    List<Scenario> all = new ArrayList<>();
    all.add(new Scenario("exact", "exact inputs", List.of(main), main));
    for (double error : ERRORS) {
      all.add(withErrors(main, error));
    }
    CloudGrid azure =
        new CloudGrid(PublishedTable.AZURE_ROUND_TRIPS.read(), main.megabitsPerSecond());
    all.add(new Scenario("12-days-old", "inputs 12 days old", List.of(earlier), main));
    all.add(new Scenario("12-weeks-old", "inputs 12 weeks old, Google only", List.of(main), later));
    all.add(
        new Scenario(
            "other-round-trips",
            "round trips of four years later, Azure only",
            List.of(azure),
            main));
    return all;
  }

  /** Difference between the known and the true throughputs. */
  Difference difference() {
    return Difference.between(known, truth);
  }

  private static Scenario withErrors(CloudGrid grid, double error) {
    List<CloudGrid> draws = new ArrayList<>();
    for (long seed = 1; seed <= DRAWS; seed++) {
      draws.add(grid.withErrors(ROUND_TRIP_ERROR, error, seed));
    }
    long percent = Math.round(100 * error);
    return new Scenario(
        "errors-" + percent, "inputs with errors of " + percent + " %", draws, grid);
  }
}
