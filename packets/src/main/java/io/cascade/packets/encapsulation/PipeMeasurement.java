package io.cascade.packets.encapsulation;

import io.cascade.packets.pipes.PipeProperties;

/**
 * What the ends of a pipe have measured. Times from one end to the other are by the clocks of both,
 * so that only differences between pipes of the same two ends mean something.
 *
 * @param properties with the round trip out and back by this pipe
 * @param outwardNanos least time from this end to the other, plus the difference of their clocks
 * @param freeNanos when all that was sent will have been put on the slowest link, by this clock
 */
public record PipeMeasurement(PipeProperties properties, long outwardNanos, long freeNanos) {
  /** Least time back by this pipe, less the difference of the clocks. */
  public long returnNanos() {
    return properties.roundTripNanos() - outwardNanos;
  }

  /**
   * By how much packets from the other end take longer than by the pipe on which they take the
   * least time; with other clocks never more than the round trip.
   *
   * @param leastReturnNanos the least {@link #returnNanos()} of all pipes
   */
  public long laterBy(long leastReturnNanos) {
    return Math.clamp(returnNanos() - leastReturnNanos, 0, properties.roundTripNanos());
  }

  /**
   * The properties where acknowledgments return by the pipe on which that takes the least time:
   * never a longer round trip than out and back by this pipe. Where the other ends are not one,
   * their clocks are not either, and the round trip by this pipe stays.
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
