package io.cascade.packets.encapsulation;

import io.cascade.packets.pipes.PipeProperties;

/**
 * Measurements of the ends of a pipe. One-way times are by the clocks of both ends, so that only
 * differences between pipes of the same two ends are meaningful.
 *
 * @param properties with the round trip in both directions over this pipe
 * @param outwardNanos least time from this end to the other, plus the difference of their clocks
 * @param freeNanos when all that was sent will have been transmitted on the slowest link, by this
 *     clock
 */
public record PipeMeasurement(PipeProperties properties, long outwardNanos, long freeNanos) {
  /** Least time back over this pipe, less the difference of the clocks. */
  public long returnNanos() {
    return properties.roundTripNanos() - outwardNanos;
  }

  /**
   * Additional time of packets from the other end over this pipe, compared with the fastest one; if
   * the clocks change, at most the round trip.
   *
   * @param leastReturnNanos the least {@link #returnNanos()} of all pipes
   */
  public long laterBy(long leastReturnNanos) {
    return Math.clamp(returnNanos() - leastReturnNanos, 0, properties.roundTripNanos());
  }

  /**
   * Returns the properties if acknowledgments return over the fastest pipe: the round trip is never
   * longer than in both directions over this pipe. If the far ends of the pipes differ, so do their
   * clocks, and the round trip over this pipe stays.
   *
   * @param leastReturnNanos the least {@link #returnNanos()} of all pipes
   */
  public PipeProperties withReturn(long leastReturnNanos) {
    long roundTripNanos = outwardNanos + leastReturnNanos;
    return roundTripNanos <= 0 || roundTripNanos >= properties.roundTripNanos()
        ? properties
        : new PipeProperties(
            roundTripNanos,
            properties.bitsPerSecond(),
            properties.queueBytes(),
            properties.lossProbability());
  }
}
