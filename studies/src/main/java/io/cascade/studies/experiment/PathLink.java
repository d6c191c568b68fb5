package io.cascade.studies.experiment;

import java.util.List;

/**
 * One link of an emulated path. Its loss falls on packets towards the destination only: what comes
 * back are acknowledgements, whose loss the models do not know.
 *
 * @param rttSeconds half of it in each direction
 * @param lossProbability independent of one packet to the next
 * @param bitsPerSecond in each direction
 * @param queueBytes what waits at most for the link; what comes then is dropped
 */
public record PathLink(
    double rttSeconds, double lossProbability, double bitsPerSecond, long queueBytes) {

  /**
   * Combines links in a row as a connection sees them that crosses all: delays add up, losses
   * compose, the slowest rules, and so does its queue.
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

  /** The same link without loss, as it is while a chain is being set up. */
  PathLink withoutLoss() {
    return withLoss(0);
  }

  PathLink withLoss(double probability) {
    return new PathLink(rttSeconds, probability, bitsPerSecond, queueBytes);
  }
}
