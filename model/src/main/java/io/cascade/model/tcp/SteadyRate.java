package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * A connection's rate in its steady state and what limits it.
 *
 * <pre>
 * X = min( model, share·C, 8·rwnd/RTT )        bit/s
 * </pre>
 *
 * <p>Always capped before anything is compared: models of congestion control promise more than any
 * link carries once loss is small.
 *
 * @param bitsPerSecond payload per second; infinite if nothing known limits it, 0 if nothing gets
 *     through
 */
public record SteadyRate(double bitsPerSecond, RateLimit limit) {

  /** Of a connection whose receiver grants any window. */
  public static SteadyRate of(ThroughputModel model, PathConditions path) {
    return of(model, path, Double.POSITIVE_INFINITY);
  }

  /**
   * Of a connection whose receiver grants {@code receiveWindowBytes}.
   *
   * <p>Worked value: 64 KiB at 64 ms caps at 8.192 Mbit/s.
   */
  public static SteadyRate of(
      ThroughputModel model, PathConditions path, double receiveWindowBytes) {
    Require.positiveOrInfinite("receiveWindowBytes", receiveWindowBytes);
    double congestion = model.bitsPerSecond(path);
    double capacity = path.payloadCapacityBitsPerSecond();
    double window = 8 * receiveWindowBytes / path.rttSeconds();
    double rate = Math.min(congestion, Math.min(capacity, window));
    if (Double.isInfinite(rate)) {
      return new SteadyRate(rate, RateLimit.NOTHING_KNOWN);
    }
    if (rate == window) {
      return new SteadyRate(rate, RateLimit.RECEIVE_WINDOW);
    }
    return new SteadyRate(
        rate, rate == capacity ? RateLimit.CAPACITY : RateLimit.CONGESTION_CONTROL);
  }
}
