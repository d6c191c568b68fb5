package io.cascade.testbed.topologies;

import io.cascade.model.planning.LinkEstimate;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Links between hosts that stand in the published regions, for benchmarks that need more hosts than
 * there are regions. Round trip and rate of one connection are the regions', up to a tenth more or
 * less, since no two hosts are alike.
 */
public final class CloudHosts {

  private static final double DIFFERENCE = 0.1;

  /** Round trip within a region in ms, which nobody measured. */
  private static final double MILLIS_WITHIN = 1;

  /** Throughput within a region in Mbit/s: the most that a host of any of the three may send. */
  private static final double MEGABITS_WITHIN = 16_000;

  private final CloudGrid grid = CloudGrid.published(PublishedTable.CLOUD_THROUGHPUT);
  private final double relativeError = RepeatedTests.read().relativeError();
  private final List<String> regions = List.copyOf(grid.regions());

  /** The regions, in alphabetical order. */
  public List<String> regions() {
    return regions;
  }

  /** A link from a host in one region to another host, in the same region or in another one. */
  public LinkEstimate link(String fromRegion, String toRegion, RandomGenerator random) {
    double millis = grid.roundTripMillis().value(fromRegion, toRegion).orElse(MILLIS_WITHIN);
    double megabits = grid.megabitsPerSecond().value(fromRegion, toRegion).orElse(MEGABITS_WITHIN);
    return RateObservation.ofTest(
            millis * aboutOne(random), megabits * aboutOne(random), relativeError)
        .estimate();
  }

  private static double aboutOne(RandomGenerator random) {
    return 1 + DIFFERENCE * (2 * random.nextDouble() - 1);
  }
}
