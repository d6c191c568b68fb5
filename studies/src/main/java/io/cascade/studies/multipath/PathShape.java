package io.cascade.studies.multipath;

import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.Locale;

/**
 * One emulated path between the two junctions.
 *
 * @param lossProbability of packets towards the destination
 */
record PathShape(double bitsPerSecond, int roundTripMillis, double lossProbability) {
  private static final int LEAST_QUEUE = 50 * 1_500;

  /**
   * Shape of the direction of the data. The queue holds one bandwidth-delay product of the path,
   * but at least 50 packets.
   */
  LinkShape forward() {
    return backward().withLoss(new Loss.Bernoulli(lossProbability));
  }

  LinkShape backward() {
    long inFlight = Math.round(bitsPerSecond * roundTripMillis / 8e3);
    return LinkShape.of(
            Duration.ofNanos(roundTripMillis * 1_000_000L / 2), Math.round(bitsPerSecond))
        .withQueueBytes(Math.max(LEAST_QUEUE, inFlight));
  }

  PathShape losing(double probability) {
    return new PathShape(bitsPerSecond, roundTripMillis, probability);
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "%.4g Mbit/s, %d ms, %.3g %%",
        bitsPerSecond / 1e6,
        roundTripMillis,
        100 * lossProbability);
  }
}
