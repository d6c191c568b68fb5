package io.cascade.coding.control;

/**
 * The window of CUBIC (RFC 9438), in packets, with its Reno-friendly region and fast convergence: C
 * = 0.4, and β = 0.7 is what remains after a cut.
 *
 * <pre>
 * W(t) = C·(t − K)³ + W_max        K = ∛( (W_max − w₀)/C )
 * W_est += α per round trip        α = 3·(1 − β)/(1 + β) = 0.53, 1 above W_max
 * </pre>
 *
 * With W_max = 100 and w₀ = 70, K is 4.2 s.
 */
final class CubicWindow {
  private static final double SCALE = 0.4;

  /** Share of a window that remains after a cut. */
  static final double KEPT = 0.7;

  private static final double FRIENDLY = 3 * (1 - KEPT) / (1 + KEPT);
  private static final double MOST_GROWTH = 1.5;

  private double highest;
  private double friendly;
  private double inflection;
  private long epochNanos;

  /** Begins to grow from a window, as if no packet had been lost at it. */
  void begin(double window, long nowNanos) {
    highest = window;
    friendly = window;
    inflection = 0;
    epochNanos = nowNanos;
  }

  /** The window after one more round trip. */
  double grown(double window, long nowNanos, double roundTripSeconds) {
    double t = (nowNanos - epochNanos) / 1e9 + roundTripSeconds;
    double target = SCALE * Math.pow(t - inflection, 3) + highest;
    friendly += friendly < highest ? FRIENDLY : 1;
    double next = Math.max(window, Math.max(Math.min(target, MOST_GROWTH * window), friendly));
    return Math.min(next, 2 * window);
  }

  /** The window after a congestion epoch. */
  double cut(double window, long nowNanos) {
    highest = window < highest ? window * (1 + KEPT) / 2 : window;
    double cut = KEPT * window;
    friendly = cut;
    inflection = Math.cbrt(Math.max(0, highest - cut) / SCALE);
    epochNanos = nowNanos;
    return cut;
  }
}
