package io.cascade.kernel.tcp;

/**
 * Tells whether a queue stands on a connection's path, by what it adds to the round trip: a quarter
 * of the least one, and 2 ms at least, for less is how round trips vary by themselves.
 */
public final class StandingQueue {
  private static final double SHARE = 0.25;
  private static final double LEAST_MICROS = 2_000;

  private StandingQueue() {}

  /**
   * Tells whether one stands.
   *
   * @param rttMicros round-trip time under load
   * @param minRttMicros the least round-trip time, above 0
   */
  public static boolean stands(double rttMicros, double minRttMicros) {
    return rttMicros - minRttMicros >= Math.max(SHARE * minRttMicros, LEAST_MICROS);
  }
}
