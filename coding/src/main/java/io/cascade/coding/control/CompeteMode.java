package io.cascade.coding.control;

/**
 * Used beside senders that fill the queue: CUBIC that cuts its window at congestion but not at
 * losses of the path itself, by its estimated share of the path ({@link Rivals}). Every 5 s,
 * doubling to 40 s while unsuccessful, it checks whether the others have gone (DRAIN).
 */
final class CompeteMode extends ProbingMode {
  private static final long FIRST_PROBE_NANOS = 5_000_000_000L;
  private static final long RAREST_PROBE_NANOS = 40_000_000_000L;
  private static final double DEEP = 0.5;
  private static final double SHALLOW = 0.75;
  private static final double SAME = 0.05;
  private static final int PROBES_COMPARED = 3;

  /**
   * A queue overflows at its longest: losses while it is shorter than this share of that are
   * random.
   */
  private static final double FULL = 0.75;

  /** Consecutive rounds with excess loss that cannot be random, however long the queue is. */
  private static final int LASTING_ROUNDS = 3;

  /** Rounds within which losses beyond the path's own are random at most once. */
  private static final int EXCUSE_ROUNDS = 20;

  /** Senders that fill a queue make it longer than so many targets within so many rounds. */
  private static final double CALM = 2;

  private static final int CALM_ROUNDS = 100;

  /**
   * A probe waits for a queue of this share of the longest: behind a shorter one others may just
   * have cut.
   */
  private static final double WORTH_A_PROBE = 0.6;

  /** If the mode begins again within this time, it was left too early: the queue was not empty. */
  private static final long SOON_NANOS = 30_000_000_000L;

  /** Packets of a window from which its delays show how far a queue falls. */
  private static final double LEAST_TO_WATCH = 32;

  /**
   * Least share of the window that remains after a cut, however large the own share of the path
   * seems.
   */
  private static final double LEAST_KEPT = 0.5;

  /** Factor by which a ramp may raise a window. */
  private static final double MOST_RAMP = 4;

  /** The same factor beyond what the path is known to carry. */
  private static final double UNKNOWN_RAMP = 2;

  private final CubicWindow cubic = new CubicWindow();
  private final QueuePeaks peaks = new QueuePeaks();
  private final QueueFall fall = new QueueFall();
  private final Rivals rivals = new Rivals();
  private final Ramp ramp = new Ramp();
  private final FullQueue full = new FullQueue();
  private final double[] probedNanos = new double[PROBES_COMPARED];

  private int probes;
  private long nextProbeNanos;
  private long probeIntervalNanos = FIRST_PROBE_NANOS;
  private long leftNanos = Long.MIN_VALUE / 2;
  private double leftWindow;
  private boolean cut;
  private int roundsSinceCut;
  private int excessRounds;
  private int roundsSinceExcuse;
  private int calmRounds;

  /**
   * A round's signals, delays in ns.
   *
   * @param arrived packets in the round
   * @param isLoss whether more was lost than below capacity
   * @param isRunaway whether far more was lost
   * @param hidesLoss whether the path itself loses so much that other losses may go unnoticed
   * @param knowsBase whether enough packets were sent to determine the path's own loss rate
   * @param lowest round trip without a queue
   * @param emptyWindow packets of this sender that fill the path and no queue
   * @param knownWindow packets in a round trip at the highest recent rate
   */
  record Signals(
      double mean,
      double high,
      double target,
      double empty,
      int arrived,
      boolean isLoss,
      boolean isRunaway,
      boolean hidesLoss,
      boolean knowsBase,
      double lowest,
      double roundTripSeconds,
      double emptyWindow,
      double knownWindow,
      long nextOrdinal,
      boolean limited) {
    double roundTrip() {
      return lowest + mean;
    }
  }

  void begin(double window, long nowNanos) {
    cubic.begin(window, nowNanos);
    peaks.reset();
    fall.reset(window);
    ramp.end();
    if (nowNanos - leftNanos > SOON_NANOS) {
      rivals.forget();
      probeIntervalNanos = FIRST_PROBE_NANOS;
    } else if (rivals.share() > 0) {
      ramp.begin(leftWindow * rivals.fairPart()); // Its window before it left too early.
      rivals.forgetShare();
    }
    forget();
    probes = 0;
    nextProbeNanos = nowNanos + probeIntervalNanos;
    cut = false;
    roundsSinceCut = 0;
    excessRounds = 0;
    roundsSinceExcuse = EXCUSE_ROUNDS;
    calmRounds = 0;
    full.begin(window);
  }

  /** A probe found the queue empty: no other sender fills it. */
  void left(double window, long nowNanos) {
    leftWindow = window;
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

  /** Whether the other senders have kept the queue short for long, as this sender would. */
  boolean isCalm() {
    return calmRounds >= CALM_ROUNDS;
  }

  /** Whether three probes of different depth found the same delay, which then is the path's own. */
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

  /** Ends a round and returns the new window. */
  double round(double window, Signals signals, long nowNanos) {
    cut = false;
    Probe current = running();
    if (current != null) {
      if (current.roundEnded() || current.foundEmpty()) {
        endProbe(current, nowNanos);
      }
      return window;
    }
    boolean fell = peaks.note(signals.mean(), signals.target());
    boolean sawLoss =
        signals.isLoss()
            && (peaks.peak() <= signals.empty() || signals.high() >= FULL * peaks.peak());
    excessRounds = signals.isLoss() && signals.hidesLoss() ? excessRounds + 1 : 0;
    roundsSinceCut++;
    roundsSinceExcuse++;
    boolean isCalm = signals.mean() <= CALM * signals.target() && !signals.isLoss();
    calmRounds = isCalm ? calmRounds + 1 : 0;
    fall.note(window);
    full.note(window, signals.arrived());
    if (fall.isWatched()) {
      return watched(window, fell, signals, nowNanos);
    }
    if (ramp.isTesting()) {
      if (ramp.goesOn() && !signals.isRunaway()) {
        return ramped(ramp.testGrown(window), nowNanos);
      }
      if (showsReno(window, signals)) {
        return cutTo(cubic.cut(ramp.testWindow(), nowNanos));
      }
    }
    boolean isOwnLoss =
        signals.isRunaway()
            || ((signals.knowsBase() || !ramp.isRunning()) && (sawLoss || isLasting()))
            || (!ramp.isRunning() && isFull(window, signals));
    if (roundsSinceCut > 1 && (fell || isOwnLoss)) {
      if (window < LEAST_TO_WATCH && (isOwnLoss || signals.hidesLoss())) {
        return cutTo(cubic.cut(window, nowNanos));
      }
      if (fell) {
        fall.fromTop(peaks.fallenFrom(), signals.mean(), isOwnLoss);
      } else {
        fall.fromLoss(Math.max(signals.mean(), signals.high()), signals.mean());
      }
      return window;
    }
    boolean isWorthIt =
        signals.mean() >= WORTH_A_PROBE * peaks.peak()
            || nowNanos >= nextProbeNanos + probeIntervalNanos;
    if (nowNanos >= nextProbeNanos && isWorthIt) {
      double depth = probes % 2 == 0 ? SHALLOW : DEEP;
      start(depth * signals.emptyWindow(), signals.nextOrdinal());
      return window;
    }
    if (!signals.limited()) {
      return window;
    }
    return ramp.isRunning()
        ? ramped(ramp.grown(window), nowNanos)
        : cubic.grown(window, nowNanos, signals.roundTripSeconds());
  }

  private boolean isLasting() {
    return excessRounds >= LASTING_ROUNDS;
  }

  /** Others may have cut, or a full queue may have dropped packets: it takes rounds to find out. */
  private double watched(double window, boolean fell, Signals signals, long nowNanos) {
    if (fell) {
      fall.raiseTop(peaks.fallenFrom());
    }
    if (!fall.round(signals.mean(), signals.isLoss(), signals.isRunaway())) {
      return window;
    }
    if (!signals.limited()) {
      return cutTo(cubic.cut(window, nowNanos)); // The queue may have fallen because less was sent.
    }
    double depth = fall.depth(signals.lowest());
    if (fall.hasFallen(signals.target())) {
      rivals.cut(depth, fall.growth(window));
      if (rivals.leaveLittle()) {
        return beginRamp(window, signals);
      }
    } else if (isChance(signals)) {
      return window;
    } else if (rivals.share() > 0) {
      rivals.hardlyCut(depth);
    }
    double kept = Math.max(LEAST_KEPT, rivals.keep() * rivals.fairPart());
    return cutTo(cubic.cut(window * kept / CubicWindow.KEPT, nowNanos));
  }

  /**
   * Whether losses after which no sender cut were random: the path itself loses packets, and this
   * sender's share is known to be small, or such losses were not seen recently. A full queue of
   * this sender alone drops again as soon as the window grows.
   */
  private boolean isChance(Signals signals) {
    if (!fall.isLossy()) {
      return true;
    }
    if (!signals.hidesLoss() || fall.lossesWentOn() || ramp.isRunning()) {
      return false;
    }
    return !rivals.mayLeaveTooLittle() || isExcused();
  }

  private boolean isExcused() {
    boolean isExcused = roundsSinceExcuse >= EXCUSE_ROUNDS;
    roundsSinceExcuse = isExcused ? 0 : roundsSinceExcuse;
    return isExcused;
  }

  private double beginRamp(double window, Signals signals) {
    double most = Math.max(UNKNOWN_RAMP * window, signals.knownWindow());
    double goal = Math.min(most, window * Math.min(MOST_RAMP, rivals.lack()));
    if (rivals.areKnown()) {
      ramp.begin(goal);
    } else {
      ramp.beginTest(goal, window, signals.roundTrip(), rivals.halfway());
    }
    full.restart();
    peaks.restart();
    return window;
  }

  private boolean showsReno(double window, Signals signals) {
    Ramp.Tested tested = ramp.result(window, signals.roundTrip());
    if (tested != Ramp.Tested.NOTHING) {
      rivals.tested(tested == Ramp.Tested.SHARE_IS_NOT_SMALL);
    }
    return tested == Ramp.Tested.SHARE_IS_NOT_SMALL;
  }

  private double ramped(double window, long nowNanos) {
    cubic.begin(window, nowNanos);
    return window;
  }

  private double cutTo(double window) {
    if (isLasting()) {
      peaks.reset(); // The path has changed: its queue is full at another length.
      excessRounds = 0;
    }
    ramp.end();
    cut = true;
    roundsSinceCut = 0;
    full.restart();
    peaks.restart();
    return window;
  }

  /** Whether the queue is full and all of it is this sender's. */
  private boolean isFull(double window, Signals signals) {
    if (full.isCompared()) {
      return full.hasGrownInVain(window, signals.mean(), signals.target());
    }
    if (roundsSinceCut > 2) {
      full.compareWith(window, signals.mean());
    }
    return false;
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
