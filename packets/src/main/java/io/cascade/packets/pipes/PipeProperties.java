package io.cascade.packets.pipes;

/**
 * Measured properties of a pipe.
 *
 * @param roundTripNanos from this end over the pipe to the receiver and back over the path of
 *     acknowledgments, without queues
 * @param bitsPerSecond of IP packets
 * @param queueBytes most bytes that may wait before the pipe's slowest link; more are dropped there
 * @param lossProbability of packets that a full queue did not drop, 0 to 1
 */
public record PipeProperties(
    long roundTripNanos, long bitsPerSecond, long queueBytes, double lossProbability) {
  public PipeProperties {
    check(roundTripNanos >= 0, "round trip", roundTripNanos, ">= 0 ns");
    check(bitsPerSecond > 0, "rate", bitsPerSecond, "> 0 bit/s");
    check(queueBytes > 0, "queue", queueBytes, "> 0 bytes");
    check(lossProbability >= 0 && lossProbability <= 1, "loss", lossProbability, "0 to 1");
  }

  /** Time that the transmission of a packet takes on the pipe's slowest link. */
  public long serialisationNanos(int bytes) {
    return Math.round(bytes * 8e9 / bitsPerSecond);
  }

  private static void check(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }
}
