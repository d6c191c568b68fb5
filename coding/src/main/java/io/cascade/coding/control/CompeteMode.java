package io.cascade.coding.control;

/**
 * Beside others that fill the queue: CUBIC, with a cut where the path is congested and not where it
 * merely loses. Every 5 s, doubling to 40 s while in vain, it looks whether the others have gone
 * (DRAIN).
 */
final class CompeteMode extends ProbingMode {
  private static final long FIRST_PROBE_NANOS = 5_000_000_000L;
  private static final long RAREST_PROBE_NANOS = 40_000_000_000L;
  private static final double DEEP = 0.5;
  private static final double SHALLOW = 0.75;
  private static final double FLAT_GROWTH = 1.25;
  private static final double FLAT_QUEUE = 1.05;
  private static final double SAME = 0.05;
  private static final int PROBES_COMPARED = 3;

  private final CubicWindow cubic = new CubicWindow();
  private final QueuePeaks peaks = new QueuePeaks();
  private final double[] probedNanos = new double[PROBES_COMPARED];

  private int probes;
  private long nextProbeNanos;
  private long probeIntervalNanos;
  private boolean cut;
  private int roundsSinceCut;
  private double flatWindow;
  private double flatQueue;

  /**
   * A round's signals, delays in ns.
   *
   * @param isLoss whether more was lost than below capacity
   * @param isRunaway whether far more
   * @param hidesLoss whether the path loses so much anyway that a loss may hide
   * @param emptyWindow packets of ours that fill the path and no queue
   */
  record Signals(
      double mean,
      double high,
      double target,
      double empty,
      boolean isLoss,
      boolean isRunaway,
      boolean hidesLoss,
      double roundTripSeconds,
      double emptyWindow,
      long nextOrdinal,
      boolean limited) {}

  void begin(double window, long nowNanos) {
    cubic.begin(window, nowNanos);
    peaks.reset();
    forget();
    probes = 0;
    probeIntervalNanos = FIRST_PROBE_NANOS;
    nextProbeNanos = nowNanos + FIRST_PROBE_NANOS;
    cut = false;
    roundsSinceCut = 0;
    flatWindow = 0;
  }

  /** What is known of how long the queue gets, in ns. */
  double peak() {
    return peaks.peak();
  }

  /** Whether the last round cut the window. */
  boolean hasCut() {
    return cut;
  }

  boolean isProbing() {
    return running() != null;
  }

  /** Whether three probes of different depth found the same delay: then it is the path's own. */
  boolean isPathLonger() {
    if (probes < PROBES_COMPARED) {
      return false;
    }
    double low = Double.MAX_VALUE;
    double high = 0;
    for (double nanos : probedNanos) {
      low = Math.min(low, nanos);
      high = Math.max(high, nanos);
    }
    return high - low <= SAME * high;
  }

  /** Ends a round; the window from now on. */
  double round(double window, Signals signals, long nowNanos) {
    cut = false;
    Probe current = running();
    if (current != null) {
      if (current.roundEnded() || current.foundEmpty()) {
        endProbe(current, nowNanos);
      }
      return window;
    }
    boolean othersCut = peaks.note(signals.mean()) && signals.hidesLoss();
    boolean sawLoss =
        signals.isLoss() && (peaks.peak() <= signals.empty() || signals.high() >= peaks.peak() / 2);
    roundsSinceCut++;
    boolean may = roundsSinceCut > 1;
    if (may && (sawLoss || othersCut || signals.isRunaway() || isFlat(window, signals))) {
      cut = true;
      roundsSinceCut = 0;
      flatWindow = 0;
      return cubic.cut(window, nowNanos);
    }
    if (nowNanos >= nextProbeNanos) {
      double depth = probes % 2 == 0 ? SHALLOW : DEEP;
      start(depth * signals.emptyWindow(), signals.nextOrdinal());
      return window;
    }
    return signals.limited() ? cubic.grown(window, nowNanos, signals.roundTripSeconds()) : window;
  }

  /** Whether the window grew by a quarter and the queue did not: it is full, and ours. */
  private boolean isFlat(double window, Signals signals) {
    if (flatWindow == 0) {
      if (roundsSinceCut > 2) {
        flatWindow = window;
        flatQueue = signals.mean();
      }
      return false;
    }
    if (window < FLAT_GROWTH * flatWindow) {
      return false;
    }
    boolean isFlat = signals.mean() > signals.target() && signals.mean() < FLAT_QUEUE * flatQueue;
    flatWindow = window;
    flatQueue = signals.mean();
    return isFlat;
  }

  private void endProbe(Probe current, long nowNanos) {
    end(current);
    probedNanos[probes % PROBES_COMPARED] = current.lowestNanos();
    probes++;
    nextProbeNanos = nowNanos + probeIntervalNanos;
    probeIntervalNanos = Math.min(2 * probeIntervalNanos, RAREST_PROBE_NANOS);
  }
}
