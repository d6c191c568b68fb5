package io.cascade.relay.telemetry;

/**
 * Keeps a counter from decreasing. While a stream moves from the running ones to the ended ones, a
 * sum over both may miss it for a moment, and Prometheus would take such a dip for a restart and
 * count the whole sum again.
 */
final class MonotonicCounter {
  private double most;

  synchronized double of(double now) {
    most = Math.max(most, now);
    return most;
  }
}
