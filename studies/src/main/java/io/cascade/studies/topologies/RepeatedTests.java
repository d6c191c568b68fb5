package io.cascade.studies.topologies;

import java.util.List;

/**
 * Pairs whose throughput was measured twice on 29 January 2022, all to or from one region. They
 * show the difference between two tests of 5 s.
 */
final class RepeatedTests {

  private final List<Double> logRatios;

  private RepeatedTests(List<Double> logRatios) {
    this.logRatios = logRatios;
  }

  static RepeatedTests read() {
    return new RepeatedTests(
        PublishedTable.text("cloud-throughput-mbps-2022-01-29-again.csv")
            .lines()
            .skip(1)
            .map(line -> line.split(",", -1))
            .map(cells -> Math.log(Double.parseDouble(cells[3]) / Double.parseDouble(cells[2])))
            .toList());
  }

  int pairs() {
    return logRatios.size();
  }

  /**
   * Relative standard error of one test: the root mean square of the logarithms of second over
   * first test, divided by √2, because both tests contribute to a difference.
   */
  double relativeError() {
    double squares = logRatios.stream().mapToDouble(value -> value * value).sum();
    return Math.sqrt(squares / logRatios.size() / 2);
  }
}
