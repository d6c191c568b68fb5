package io.cascade.coding.control;

/**
 * What a session has learned of a path, for the start of the next one to the same place (RFC 9959,
 * "saved parameters").
 *
 * @param packets that the path carried in a round trip without a queue, 40 or more: a smaller
 *     number is found as quickly without it
 * @param roundTripNanos least round trip, above 0
 * @param lossRate the path's loss rate below its capacity, 0 to 1
 */
public record RetainedPath(double packets, long roundTripNanos, double lossRate) {
  /** Time after which the parameters no longer apply. */
  public static final long LIFETIME_NANOS = 3_600_000_000_000L;

  /** Four initial windows. */
  public static final double LEAST_PACKETS = 40;

  public RetainedPath {
    if (!(packets >= LEAST_PACKETS) || roundTripNanos <= 0 || !(lossRate >= 0 && lossRate <= 1)) {
      throw new IllegalArgumentException(
          "retained path: %s packets, %d ns, loss of %s (expected: 40 or more, above 0, 0 to 1)"
              .formatted(packets, roundTripNanos, lossRate));
    }
  }
}
