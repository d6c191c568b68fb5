package io.cascade.studies.topologies;

import java.util.List;

/**
 * Difference between the true and the known throughputs.
 *
 * @param median of true over known throughputs
 * @param spread root mean square deviation of the logarithms from the median's
 */
record Difference(double median, double spread) {

  static Difference between(List<CloudGrid> known, CloudGrid truth) {
    double[] logs =
        known.stream()
            .flatMap(grid ->
                grid.pairs().stream()
                    .map(pair ->
                        Math.log(
                            truth.hopMegabits(pair.from(), pair.to())
                                / grid.hopMegabits(pair.from(), pair.to()))))
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    double median = logs[logs.length / 2];
    double squares = 0;
    for (double log : logs) {
      squares += (log - median) * (log - median);
    }
    return new Difference(Math.exp(median), Math.sqrt(squares / logs.length));
  }
}
