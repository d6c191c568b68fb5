package io.cascade.simulation;

/** The congestion window of a modelled TCP sender, in packets. */
sealed interface TcpControl permits TcpControl.Reno, TcpControl.Cubic {
  /** Most packets in flight. */
  double window();

  /** A packet was acknowledged outside a recovery. */
  void acknowledged(long nowNanos, double roundTripSeconds);

  /** A loss that begins a recovery. */
  void lost(long nowNanos);

  /** Nothing was acknowledged within a time-out. */
  void timedOut(long nowNanos);

  /** RFC 5681: one more packet per round trip, half after a loss. */
  final class Reno implements TcpControl {
    private double window = 10;
    private double threshold = Double.MAX_VALUE;

    @Override
    public double window() {
      return window;
    }

    @Override
    public void acknowledged(long nowNanos, double roundTripSeconds) {
      window += window < threshold ? 1 : 1 / window;
    }

    @Override
    public void lost(long nowNanos) {
      window = Math.max(2, window / 2);
      threshold = window;
    }

    @Override
    public void timedOut(long nowNanos) {
      threshold = Math.max(2, window / 2);
      window = 1;
    }
  }

  /** RFC 9438, with fast convergence and its Reno-friendly region. */
  final class Cubic implements TcpControl {
    private static final double C = 0.4;
    private static final double BETA = 0.7;
    private static final double ALPHA = 3 * (1 - BETA) / (1 + BETA);

    private double window = 10;
    private double threshold = Double.MAX_VALUE;
    private double highest;
    private double inflection;
    private double friendly;
    private long epochNanos = -1;

    @Override
    public double window() {
      return window;
    }

    @Override
    public void acknowledged(long nowNanos, double roundTripSeconds) {
      if (window < threshold) {
        window++;
        return;
      }
      if (epochNanos < 0) {
        epochNanos = nowNanos;
        highest = Math.max(highest, window);
        inflection = Math.cbrt((highest - window) / C);
        friendly = window;
      }
      double t = (nowNanos - epochNanos) / 1e9 + roundTripSeconds;
      double target = C * Math.pow(t - inflection, 3) + highest;
      friendly += (friendly < highest ? ALPHA : 1) / window;
      if (target > window) {
        window += (Math.min(target, 1.5 * window) - window) / window;
      } else {
        window += 0.01 / window;
      }
      window = Math.max(window, friendly);
    }

    @Override
    public void lost(long nowNanos) {
      highest = window < highest ? window * (1 + BETA) / 2 : window;
      window = Math.max(2, BETA * window);
      threshold = window;
      epochNanos = -1;
    }

    @Override
    public void timedOut(long nowNanos) {
      lost(nowNanos);
      window = 1;
    }
  }
}
