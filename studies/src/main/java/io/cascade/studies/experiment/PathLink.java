package io.cascade.studies.experiment;

import java.util.List;

/**
 * One link of an emulated path. Its loss applies only to packets towards the destination: the other
 * direction has acknowledgements, whose loss the models do not contain.
 *
 * @param rttSeconds round trip; half of it is the delay of each direction
 * @param lossProbability of each packet, independent of other packets
 * @param bitsPerSecond in each direction
 * @param queueBytes limit of the queue in front of the link; further packets are dropped
 */
public record PathLink(
    double rttSeconds, double lossProbability, double bitsPerSecond, long queueBytes) {

  /**
   * Combines links in series as a connection over all of them sees them: delays add up, losses
   * compose, and rate and queue are those of the slowest link.
   */
  public static PathLink inSeries(List<PathLink> links) {
    double through = 1;
    double rtt = 0;
    PathLink slowest = links.getFirst();
    for (PathLink link : links) {
      through *= 1 - link.lossProbability;
      rtt += link.rttSeconds;
      slowest = link.bitsPerSecond < slowest.bitsPerSecond ? link : slowest;
    }
    return new PathLink(rtt, 1 - through, slowest.bitsPerSecond, slowest.queueBytes);
  }

  /** The same link without loss, as used during the set-up of a chain. */
  PathLink withoutLoss() {
    return withLoss(0);
  }

  PathLink withLoss(double probability) {
    return new PathLink(rttSeconds, probability, bitsPerSecond, queueBytes);
  }
}
