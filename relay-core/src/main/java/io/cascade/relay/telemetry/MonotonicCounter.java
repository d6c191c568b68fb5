package io.cascade.relay.telemetry;

/**
 * Keeps a counter from going back. While a stream passes from those that run to those that have
 * ended, a sum over both may miss it for a moment, and Prometheus would take the whole sum for new
 * after such a dip.
 */
final class MonotonicCounter {
  private double most;

  synchronized double of(double now) {
    most = Math.max(most, now);
    return most;
  }
}
