package io.cascade.coding.control;

import io.cascade.coding.loss.LossTest;

/**
 * Used alone on the path: grows while the queue is shorter than its target, shrinks in proportion
 * while it is longer, and checks every ten rounds whether the queue empties without this sender
 * (DOWN).
 */
final class DelayMode extends ProbingMode {
  private static final double STEEPEST = 0.3;
  private static final double GAIN = 0.8;
  private static final double LEAST_GROWTH = 0.02;

  /**
   * Most growth in a round beyond the known capacity of the path, since the queue shows a round
   * late.
   */
  private static final double CAREFUL_GROWTH = 1.0 / 32;

  private static final double LEAST_STEP_SHARE = 0.1;
  private static final int EMPTY_ROUNDS = 3;
  private static final int CYCLE_ROUNDS = 10;
  private static final int FULL_ROUNDS = 3;
  private static final int SUSPECT_ROUNDS = 2;
  private static final double FULL = 1.5;

  /** Share of the target above which it limits a round: growth is slow near the target. */
  private static final double NEARLY_BOUND = 0.8;

  private static final double SHALLOW = 0.97;
  private static final double DEEP = 0.8;
  private static final int CYCLES_REMEMBERED = 3;

  private static final double POLICED_LOSS = 0.01;
  private static final double POLICED_CUT = 0.85;

  /**
   * Excess over the loss of deep probes from which a policer is likely while there are few packets.
   */
  private static final double SUSPECT_LOSS = 0.1;

  /** Standard deviations by which it must be above that. */
  private static final double SUSPECT_EXCESS = 1;

  private static final double SUSPECT_PASSED = 1.1;
  private static final double POLICED_GROWTH = 1.01;
  private static final double POLICED_PASSED = 1.03;
  private static final int POLICED_CYCLE_ROUNDS = 5;

  /** Packets of deep probes that would have revealed a policer. */
  private static final int ENOUGH_PACKETS = 400;

  /** Deep probes without a finding after which they become half as frequent. */
  private static final int PROBES_BEFORE_HALVING = 2;

  private static final int MOST_HALVINGS = 4;

  private boolean isDeepProbe;
  private double step;
  private int emptyRounds;
  private int fullRounds;
  private int roundsSinceProbe;
  private int failures;
  private int cyclesUnbound;
  private boolean boundInCycle;
  private int suspectRounds;
  private double windowBefore;
  private boolean falling;

  private int cycleLost;
  private int cyclePackets;
  private double policedWindow;
  private int deepWithoutFinding;
  private int cyclesSinceDeep;

  /** Losses and packets in the rounds before deep probes, and in the probes. */
  private double fullLost;

  private double fullPackets;
  private double deepLost;
  private double deepPackets;

  /**
   * A round's signals, delays in ns.
   *
   * @param mean queueing delay
   * @param low lowest slice of it
   * @param roundTrip without a queue
   * @param emptyWindow packets that fill the path and no queue, by the best of three rounds
   * @param latestWindow likewise, by the last round
   * @param deliveredWindow likewise, by what was delivered
   * @param knownWindow packets that fill the path and the target, at the highest recent rate
   * @param excess of loss over the base, in standard deviations
   * @param burstPackets mean length of a loss burst
   * @param nextOrdinal of the next packet
   * @param limited whether the window limited sending
   */
  record Signals(
      double mean,
      double low,
      double target,
      double empty,
      double roundTrip,
      double emptyWindow,
      double latestWindow,
      double deliveredWindow,
      double knownWindow,
      int lost,
      int packets,
      double excess,
      double burstPackets,
      long nextOrdinal,
      boolean limited) {}

  /**
   * @param sawQueue whether a queue has limited the window; otherwise losses below the target may
   *     be those of a policer
   */
  void begin(double window, boolean sawQueue) {
    forget();
    step = 1;
    emptyRounds = 0;
    fullRounds = 0;
    roundsSinceProbe = 0;
    failures = 0;
    suspectRounds = 0;
    cyclesUnbound = sawQueue ? 0 : CYCLES_REMEMBERED;
    boundInCycle = sawQueue;
    windowBefore = window;
    falling = false;
    cycleLost = 0;
    cyclePackets = 0;
    policedWindow = 0;
    deepWithoutFinding = 0;
    cyclesSinceDeep = 0;
    forgetDeepProbes();
  }

  private void forgetDeepProbes() {
    fullLost = 0;
    fullPackets = 0;
    deepLost = 0;
    deepPackets = 0;
  }

  /** Whether the target has limited the window within the last three cycles. */
  boolean hasBoundLately() {
    return boundInCycle || cyclesUnbound < CYCLES_REMEMBERED;
  }

  /** Ends probing after a time-out, when too little arrives for a result, and grows as usual. */
  void timedOut() {
    policedWindow = 0;
    abandon();
  }

  /** Whether two consecutive probes found the queue full. */
  boolean failedTwice() {
    return failures >= 2;
  }

  /** The window before it last began to fall. */
  double windowBefore() {
    return windowBefore;
  }

  /** Ends a round and returns the new window. */
  double round(double window, Signals signals) {
    Probe current = running();
    if (current != null) {
      boolean isLast = current.roundEnded();
      if (!isLast && (isDeepProbe || !current.foundEmpty())) {
        return window;
      }
      return endProbe(window, current, signals);
    }
    roundsSinceProbe++;
    cycleLost += signals.lost();
    cyclePackets += signals.packets();
    double next = policedWindow > 0 ? policed(window, signals) : steered(window, signals);
    int cycle = policedWindow > 0 ? POLICED_CYCLE_ROUNDS : CYCLE_ROUNDS;
    boolean isDue =
        roundsSinceProbe >= cycle || fullRounds >= FULL_ROUNDS || suspectRounds >= SUSPECT_ROUNDS;
    if (signals.limited() && isDue) {
      beginProbe(signals);
    }
    return next;
  }

  private double steered(double window, Signals signals) {
    boundInCycle |= signals.mean() > NEARLY_BOUND * signals.target();
    if (signals.mean() <= signals.target()) {
      fullRounds = 0;
      falling = false;
      boolean isSuspect =
          signals.excess() > LossTest.EXCESS && signals.mean() < NEARLY_BOUND * signals.target();
      if (isSuspect) {
        // Loss exceeds the usual rate without a queue: a policer, or a buffer shorter than the
        // target.
        suspectRounds++;
        emptyRounds = 0;
        step = 1;
        return window;
      }
      if (signals.low() <= signals.empty()) {
        emptyRounds++;
      } else {
        emptyRounds = 0;
      }
      step =
          emptyRounds >= EMPTY_ROUNDS
              ? Math.min(2 * step, Math.max(1, window / 4))
              : Math.max(1, step / 2);
      if (!signals.limited()) {
        return window;
      }
      double share =
          signals.low() <= signals.empty()
              ? 1
              : Math.max(LEAST_STEP_SHARE, 1 - signals.mean() / signals.target());
      double fast = Math.min(step * share, signals.knownWindow() - window);
      double careful = Math.min(step * share, CAREFUL_GROWTH * window);
      return window + Math.max(Math.max(fast, careful), Math.min(1, LEAST_GROWTH * window));
    }
    emptyRounds = 0;
    step = 1;
    fullRounds = signals.mean() > FULL * signals.target() ? fullRounds + 1 : 0;
    if (!falling) {
      falling = true;
      windowBefore = window;
    }
    double over = (signals.mean() - signals.target()) / (signals.roundTrip() + signals.mean());
    return window * (1 - Math.min(STEEPEST, GAIN * over));
  }

  /** Grows slowly until loss exceeds that of probes: behind a policer the queue shows nothing. */
  private double policed(double window, Signals signals) {
    if (signals.mean() > signals.target()) {
      policedWindow = 0;
      return steered(window, signals);
    }
    if (signals.excess() > LossTest.EXCESS) {
      return window;
    }
    double next = window * POLICED_GROWTH;
    if (next > POLICED_PASSED * policedWindow) {
      policedWindow = 0;
    }
    return next;
  }

  private void beginProbe(Signals signals) {
    cyclesSinceDeep++;
    boolean mayBePoliced = policedWindow > 0 || (!boundInCycle && isDeepProbeDue());
    isDeepProbe =
        suspectRounds >= SUSPECT_ROUNDS
            || (mayBePoliced && cycleLost > POLICED_LOSS * cyclePackets);
    cyclesSinceDeep = isDeepProbe ? 0 : cyclesSinceDeep;
    suspectRounds = 0;
    double bound =
        isDeepProbe
            ? DEEP * signals.deliveredWindow()
            : failures == 0 ? SHALLOW * signals.emptyWindow() : DEEP * signals.latestWindow();
    start(bound, signals.nextOrdinal());
  }

  /**
   * Whether a deep probe is due. It costs most of the rate for some round trips on a path that
   * loses half, so deep probes become rarer while they find no policer.
   */
  private boolean isDeepProbeDue() {
    return cyclesSinceDeep
        >= 1 << Math.min(MOST_HALVINGS, deepWithoutFinding / PROBES_BEFORE_HALVING);
  }

  private double endProbe(double window, Probe current, Signals signals) {
    end(current);
    boolean isEmpty = current.foundEmpty();
    double next = window;
    if (isEmpty) {
      failures = 0;
      if (isDeepProbe) {
        next = judgeDeep(window, current, signals);
      }
    } else {
      failures++;
    }
    cyclesUnbound = boundInCycle ? 0 : cyclesUnbound + 1;
    boundInCycle = false;
    fullRounds = 0;
    cycleLost = 0;
    cyclePackets = 0;
    // After a failure the next probe follows soon.
    roundsSinceProbe = isEmpty ? 0 : CYCLE_ROUNDS - 1;
    return next;
  }

  /**
   * Evaluates all deep probes since the last decision: a single one has few packets on a slow path.
   */
  private double judgeDeep(double window, Probe current, Signals signals) {
    fullLost += cycleLost;
    fullPackets += cyclePackets;
    deepLost += current.lost();
    deepPackets += current.packets();
    double low = deepLost / Math.max(1, deepPackets);
    double full = fullLost / Math.max(1, fullPackets);
    double excess =
        LossTest.difference(fullLost, fullPackets, deepLost, deepPackets, signals.burstPackets());
    // The probe's bound was a share of what was delivered; that fits the path, plus its own losses.
    double fits = current.bound() / DEEP / (1 - low);
    if (full > low + POLICED_LOSS && excess > LossTest.EXCESS) {
      deepWithoutFinding = 0;
      forgetDeepProbes();
      policedWindow = Math.min(window, fits);
      return Math.min(window * POLICED_CUT, fits);
    }
    deepWithoutFinding++;
    if (deepPackets > ENOUGH_PACKETS) {
      forgetDeepProbes();
    }
    boolean isSuspect = full > low + SUSPECT_LOSS && excess > SUSPECT_EXCESS;
    return isSuspect ? Math.min(window, SUSPECT_PASSED * fits) : window;
  }
}
