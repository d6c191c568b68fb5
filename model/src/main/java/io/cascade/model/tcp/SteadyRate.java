package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * A connection's rate in its steady state, and its limit.
 *
 * <pre>
 * X = min( model, share·C, 8·rwnd/RTT )        bit/s
 * </pre>
 *
 * <p>Limited before any comparison: for small losses, models of congestion control give more than
 * any link carries.
 *
 * @param bitsPerSecond payload per second; infinite if nothing known limits it, 0 if nothing gets
 *     through
 */
public record SteadyRate(double bitsPerSecond, RateLimit limit) {

  /** Rate of a connection whose receiver grants any window. */
  public static SteadyRate of(ThroughputModel model, PathConditions path) {
    return of(model, path, Double.POSITIVE_INFINITY);
  }

  /**
   * Rate of a connection whose receiver grants {@code receiveWindowBytes}.
   *
   * <p>Worked value: 64 KiB at 64 ms caps at 8.192 Mbit/s.
   */
  public static SteadyRate of(
      ThroughputModel model, PathConditions path, double receiveWindowBytes) {
    Require.positiveOrInfinite("receiveWindowBytes", receiveWindowBytes);
    ThroughputModel windowed = model.underWindow(receiveWindowBytes / path.mssBytes());
    double congestion = windowed.bitsPerSecond(path);
    double capacity = path.payloadCapacityBitsPerSecond();
    double window = 8 * receiveWindowBytes / path.rttSeconds();
    double rate = Math.min(congestion, Math.min(capacity, window));
    if (Double.isInfinite(rate)) {
      return new SteadyRate(rate, RateLimit.NOTHING_KNOWN);
    }
    boolean heldByWindow =
        rate == congestion
            && windowed instanceof PftkThroughput pftk
            && pftk.isWindowLimited(path.lossProbability());
    if (rate == window || heldByWindow) {
      return new SteadyRate(rate, RateLimit.RECEIVE_WINDOW);
    }
    return new SteadyRate(
        rate, rate == capacity ? RateLimit.CAPACITY : RateLimit.CONGESTION_CONTROL);
  }

  /**
   * Rate of {@code connections} equal connections side by side over one path, all together.
   *
   * <pre>
   * X = k · min( model, share·C/k, 8·rwnd/RTT )        bit/s
   * </pre>
   *
   * <p>This is min(k·X₁, share·C) for a congestion control that depends on loss alone, and no more
   * than one connection's rate for one that fills the capacity by itself. Each connection has the
   * same loss: the loss that they cause each other is not included, nor is their effect on other
   * traffic.
   *
   * <p>Worked value: four of Mathis's connections of 7.01 Mbit/s carry 28.0 Mbit/s through 32
   * Mbit/s of payload capacity, and five carry 32.
   *
   * @param connections k, at least 1
   */
  public static SteadyRate ofParallel(
      int connections, ThroughputModel model, PathConditions path, double receiveWindowBytes) {
    Require.atLeast("connections", connections, 1);
    PathConditions share =
        new PathConditions(
            path.rttSeconds(),
            path.lossProbability(),
            path.mssBytes(),
            path.payloadCapacityBitsPerSecond() / connections);
    SteadyRate one = of(model, share, receiveWindowBytes);
    return new SteadyRate(connections * one.bitsPerSecond(), one.limit());
  }
}
