package io.cascade.kernel.tcp;

/**
 * Decides whether a queue stands on a connection's path, by the increase of the round trip over the
 * least one: a quarter of it, and at least 2 ms, since round trips vary by less without a queue.
 */
public final class StandingQueue {
  private static final double SHARE = 0.25;
  private static final double LEAST_MICROS = 2_000;

  private StandingQueue() {}

  /**
   * Whether a queue stands.
   *
   * @param rttMicros round-trip time under load
   * @param minRttMicros the least round-trip time, above 0
   */
  public static boolean stands(double rttMicros, double minRttMicros) {
    return rttMicros - minRttMicros >= Math.max(SHARE * minRttMicros, LEAST_MICROS);
  }
}
