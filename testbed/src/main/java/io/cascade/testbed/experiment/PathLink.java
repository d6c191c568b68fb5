package io.cascade.testbed.experiment;

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

  /** The same link without loss, as it is while a chain is being set up. */
  PathLink withoutLoss() {
    return new PathLink(rttSeconds, 0, bitsPerSecond, queueBytes);
  }
}
