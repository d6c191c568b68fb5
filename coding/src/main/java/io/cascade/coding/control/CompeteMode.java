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

  /** A queue overflows where it is longest: what is lost at less than this of it is chance. */
  private static final double FULL = 0.75;

  /** Excess in so many rounds in a row is no chance, however long the queue is. */
  private static final int LASTING_ROUNDS = 3;

  /** A probe waits for a queue as long as this: behind a shorter one others may just have cut. */
  private static final double WORTH_A_PROBE = 0.6;

  /** Time after the mode was left within which it was left too early: the queue was not empty. */
  private static final long SOON_NANOS = 30_000_000_000L;

  private final CubicWindow cubic = new CubicWindow();
  private final QueuePeaks peaks = new QueuePeaks();
  private final double[] probedNanos = new double[PROBES_COMPARED];

  private int probes;
  private long nextProbeNanos;
  private long probeIntervalNanos = FIRST_PROBE_NANOS;
  private long leftNanos = Long.MIN_VALUE / 2;
  private boolean cut;
  private int roundsSinceCut;
  private int excessRounds;
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
    if (nowNanos - leftNanos > SOON_NANOS) {
      probeIntervalNanos = FIRST_PROBE_NANOS;
    }
    nextProbeNanos = nowNanos + probeIntervalNanos;
    cut = false;
    roundsSinceCut = 0;
    excessRounds = 0;
    flatWindow = 0;
  }

  /** A probe found the queue empty: nobody is there. */
  void left(long nowNanos) {
    leftNanos = nowNanos;
  }

  /** Longest known queue, in ns. */
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
    boolean othersCut = peaks.note(signals.mean(), signals.target()) && signals.hidesLoss();
    boolean sawLoss =
        signals.isLoss()
            && (peaks.peak() <= signals.empty() || signals.high() >= FULL * peaks.peak());
    excessRounds = signals.isLoss() && signals.hidesLoss() ? excessRounds + 1 : 0;
    boolean isLasting = excessRounds >= LASTING_ROUNDS;
    roundsSinceCut++;
    boolean may = roundsSinceCut > 1;
    if (may
        && (sawLoss || othersCut || isLasting || signals.isRunaway() || isFlat(window, signals))) {
      cut = true;
      roundsSinceCut = 0;
      flatWindow = 0;
      if (isLasting) {
        peaks.reset(); // The path has changed: its queue is full at another length.
        excessRounds = 0;
      }
      peaks.restart();
      return cubic.cut(window, nowNanos);
    }
    boolean isWorthIt =
        signals.mean() >= WORTH_A_PROBE * peaks.peak()
            || nowNanos >= nextProbeNanos + probeIntervalNanos;
    if (nowNanos >= nextProbeNanos && isWorthIt) {
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
    peaks.restart();
    probedNanos[probes % PROBES_COMPARED] = current.lowestNanos();
    probes++;
    nextProbeNanos = nowNanos + probeIntervalNanos;
    probeIntervalNanos = Math.min(2 * probeIntervalNanos, RAREST_PROBE_NANOS);
  }
}
