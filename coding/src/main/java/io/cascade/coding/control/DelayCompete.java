package io.cascade.coding.control;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a short queue while it is alone, competes like CUBIC while others fill the queue, and
 * distinguishes the two cases by probes. Random loss does not slow it: losses count as congestion
 * only if they exceed the loss rate below capacity, or if the queue indicates it.
 *
 * <pre>
 * START ─▶ DELAY ⇄ COMPETE          probes: DOWN in DELAY, DRAIN in COMPETE
 * </pre>
 *
 * A START on a known path jumps to half of what that path carried ({@link CarefulResume}).
 *
 * <p>Decides once per round trip. docs/how/coding.md has the rules and their reasons. Used by one
 * thread.
 */
public final class DelayCompete implements RateController {
  private static final double MILLI = 1e6;
  private static final int FIRST_WINDOW = 10;
  private static final double LEAST_WINDOW = 4;
  private static final double PACE = 1.2;
  private static final double START_PACE = 2;

  /** The jump takes a round trip (RFC 9959). */
  private static final double JUMP_PACE = 1;

  private static final double WINDOW_USED = 0.8;

  /** A round with this many packets counts half in the estimate of the rate. */
  private static final double FEW_PACKETS = 32;

  /** Share of a round trip within which arrivals may have been bunched up. */
  private static final double TRAIN = 1.0 / 16;

  /** Share of a round trip that arrivals must span to determine a rate. */
  private static final double RATE_SPAN = 0.25;

  private static final double TINY_LOSS = 0.0005;

  /** Number of packets from which the base loss is known well enough to detect an excess. */
  private static final double BASE_PACKETS = 300;

  private static final double RUNAWAY_LOSS = 0.15;

  /**
   * Time without a packet after which the path is learned anew. A clock difference of 100 ppm
   * changes delays by a millisecond meanwhile.
   */
  private static final long IDLE_NANOS = 10_000_000_000L;

  /** Largest difference between the rates of two computers' clocks. */
  private static final double CLOCKS_DIFFER = 1e-4;

  /** Time after which the lowest delay is measured anew while the application holds back. */
  private static final long LOOK_NANOS = 10_000_000_000L;

  private final QueueDelay queue = new QueueDelay();
  private final RoundTrips trips = new RoundTrips();
  private final RoundStatistics round = new RoundStatistics();
  private final CapacityEstimate capacity = new CapacityEstimate();
  private final BaseLossLearner base = new BaseLossLearner();
  private final DelayMode delay = new DelayMode();
  private final CompeteMode compete = new CompeteMode();
  private final YieldWatch yields = new YieldWatch();
  private final OverloadGuard overload = new OverloadGuard();
  private final StartRounds start = new StartRounds();
  private final CarriedPackets carried = new CarriedPackets();
  private final CarefulResume resume = new CarefulResume(FIRST_WINDOW);

  private ControlMode mode = ControlMode.START;
  private double window = FIRST_WINDOW;

  private long sent;
  private long sentNanos;
  private long resolved;
  private long lookNanos;
  private long roundEnd;
  private long mostInFlight;
  private double lastRate;
  private double rateBefore;
  private double rateBeforeThat;

  /** Makes the controller of a session on an unknown path. */
  public DelayCompete() {
    this(null);
  }

  /**
   * @param known parameters of the path from an earlier session; null if there are no recent ones
   */
  public DelayCompete(@Nullable RetainedPath known) {
    resume.begin(known, 0);
  }

  @Override
  public void onSent(long nowNanos, long ordinal) {
    if (sent > 0 && sent == resolved && nowNanos - sentNanos > IDLE_NANOS) {
      startAnew(nowNanos - sentNanos);
    }
    sentNanos = nowNanos;
    sent = ordinal + 1;
    mostInFlight = Math.max(mostInFlight, sent - resolved);
  }

  @Override
  public void onArrived(long ordinal, long sentNanos, long delayNanos) {
    resolved++;
    long receivedNanos = sentNanos + delayNanos;
    double q = queue.arrived(receivedNanos, (double) delayNanos, trips.smoothed());
    round.noteArrived(ordinal, sentNanos, receivedNanos);
    overload.note(ordinal, false);
    switch (mode) {
      case START -> {
        boolean isQueued = q > Math.max(target(), 4 * MILLI);
        start.arrived(isQueued);
        resume.arrived(ordinal, isQueued);
      }
      case DELAY -> delay.arrived(ordinal, q, empty());
      case COMPETE -> compete.arrived(ordinal, q, empty() + drift());
    }
    if (isBelowCapacity(q)) {
      base.belowCapacity(0, 1);
    }
  }

  @Override
  public void onLost(long ordinal) {
    resolved++;
    round.noteLost();
    overload.note(ordinal, true);
    base.noteBurst(ordinal);
    resume.lost(ordinal);
    delay.lost(ordinal);
    compete.lost(ordinal);
    if (isBelowCapacity(queue.last())) {
      base.belowCapacity(1, 1);
    }
  }

  @Override
  public void onAbandoned(long ordinal) {
    resolved++;
  }

  /** Keeps the path's loss rate; the rate that it carried must be confirmed. */
  private void startAnew(long idleNanos) {
    boolean isKnown = idleNanos <= RetainedPath.LIFETIME_NANOS;
    resume.begin(isKnown ? retained() : null, sent);
    mode = mode.after(ControlMode.Event.IDLE);
    window = FIRST_WINDOW;
    trips.forgetLeast();
    lastRate = 0;
    rateBefore = 0;
    rateBeforeThat = 0;
    start.forget();
    mostInFlight = 0;
    roundEnd = sent;
    base.startBegins();
    queue.forget();
    round.begin(TRAIN * trips.least());
  }

  /** Whether a packet with this queueing delay cannot have met a full queue of this sender's. */
  private boolean isBelowCapacity(double q) {
    return switch (mode) {
      case START -> q <= target();
      case DELAY -> q <= target() && delay.hasBoundLately();
      case COMPETE -> q <= empty() || q <= compete.peak() / 2;
    };
  }

  @Override
  public void onFeedback(long nowNanos, long roundTripNanos, int inFlight) {
    if (roundTripNanos > 0) {
      trips.note(roundTripNanos);
    }
    if (mode == ControlMode.START) {
      resumeStart(inFlight);
    }
    boolean isFull = mode == ControlMode.START && start.sawQueue() && tellsRate();
    if (isFull && !resume.phase().hasJumped()) {
      leaveStart(nowNanos);
    }
    if (resolved >= roundEnd) {
      endRound(nowNanos);
    }
  }

  private void resumeStart(int inFlight) {
    ResumePhase before = resume.phase();
    boolean isUsed = mostInFlight >= WINDOW_USED * FIRST_WINDOW;
    window = resume.judge(window, sent, inFlight, isUsed, trips.least());
    if (resume.phase() != before && resume.phase().hasJumped()) {
      // A round consists of the packets sent from now on, or of all that were sent.
      roundEnd = sent;
      if (before == ResumePhase.RECONNAISSANCE) {
        base.startBegins(); // Losses so far occurred below capacity.
        mostInFlight = sent - resolved;
      }
    }
  }

  private void endJumpRound(long nowNanos) {
    ResumePhase before = resume.phase();
    window = resume.endRound(window, sent, mostInFlight);
    if (before == ResumePhase.SAFE_RETREAT) {
      carried.forget();
      leaveStart(nowNanos);
    } else if (before == ResumePhase.VALIDATING) {
      base.startRoundGrew();
    }
  }

  private void endRound(long nowNanos) {
    queue.endRound();
    if (round.packets() > 0) {
      if (mode == ControlMode.START ? tellsRate() : round.arrivalRate() > 0) {
        double rate = capacityRate();
        double share = round.spanned() / (round.spanned() + FEW_PACKETS);
        rateBeforeThat = rateBefore;
        rateBefore = lastRate;
        lastRate =
            mode == ControlMode.START
                ? Math.min(rate, round.sendingRate())
                : lastRate + share * (rate - lastRate);
        capacity.note(nowNanos, Math.min(lastRate, round.sendingRate()));
      }
      boolean limited = mostInFlight >= WINDOW_USED * windowPackets();
      look(nowNanos, limited);
      if (limited && !delay.isProbing() && !compete.isProbing()) {
        double share = Math.min(1, trips.least() / trips.smoothed());
        double most = lastRate * trips.least() / 1e9;
        carried.note(mode, round.arrived(), base.rate(), share, most);
      }
      switch (mode) {
        case START -> startRound(nowNanos, limited);
        case DELAY -> delayRound(nowNanos, limited);
        case COMPETE -> competeRound(nowNanos, limited);
      }
      boundOverload();
      window = Math.max(LEAST_WINDOW, window);
    }
    queue.beginRound();
    round.begin(TRAIN * trips.least());
    roundEnd = sent;
    mostInFlight = sent - resolved;
  }

  private void look(long nowNanos, boolean limited) {
    if (limited) {
      lookNanos = nowNanos;
      queue.beginLook();
    } else if (nowNanos - lookNanos > LOOK_NANOS) {
      lookNanos = nowNanos;
      queue.endLook();
    }
  }

  private boolean tellsRate() {
    return round.tellsRate(RATE_SPAN * trips.least());
  }

  /** The round's arrival rate, corrected for losses unless those of an overflow. */
  private double capacityRate() {
    boolean explained = base.excess(round.lost(), round.packets()) <= 3;
    return explained
        ? round.arrivalRate()
        : Math.min(round.arrivalRate(), round.deliveryRate() / (1 - base.rate()));
  }

  private void startRound(long nowNanos, boolean limited) {
    if (resume.phase().hasJumped()) {
      endJumpRound(nowNanos);
    } else if (limited && start.end(round, base)) {
      leaveStart(nowNanos);
    } else if (limited) {
      window *= 2;
    }
  }

  private void leaveStart(long nowNanos) {
    resume.leaveStart();
    base.startEnded();
    boolean sawQueue = start.sawQueue();
    if (round.spanned() >= 16 && tellsRate()) {
      lastRate = Math.max(lastRate, Math.min(capacityRate(), round.sendingRate()));
    } else if (lastRate == 0) {
      lastRate = round.packets() * 1e9 / trips.smoothed(); // At most a window per round trip.
    }
    if (!sawQueue) {
      // Perhaps a policer, whose losses do not occur after the bottleneck.
      lastRate = Math.min(lastRate, round.arrived() * 1e9 / trips.smoothed() / (1 - base.rate()));
      capacity.forget();
    }
    capacity.note(nowNanos, lastRate);
    mode = mode.after(ControlMode.Event.CAPACITY_FOUND);
    window = Math.min(resume.most(), lastRate * (trips.least() + target()) / 1e9);
    window = Math.max(LEAST_WINDOW, window);
    delay.begin(window, sawQueue);
    yields.begin();
  }

  private void delayRound(long nowNanos, boolean limited) {
    // A round in which the sender itself was delayed gives too low a rate.
    double rate = Math.max(lastRate, Math.max(rateBefore, rateBeforeThat));
    double emptyWindow = rate * trips.least() / 1e9;
    DelayMode.Signals signals =
        new DelayMode.Signals(
            queue.mean(),
            queue.low(),
            target(),
            empty(),
            trips.least(),
            emptyWindow,
            lastRate * trips.least() / 1e9,
            round.deliveryRate() * trips.least() / 1e9,
            capacity.highest() * (trips.least() + target()) / 1e9,
            round.lost(),
            round.packets(),
            base.excess(round.lost(), round.packets()),
            base.burstPackets(),
            sent,
            limited);
    window = delay.round(window, signals);
    if (delay.isProbing()) {
      yields.probing();
    } else if (limited) {
      yields.round(lastRate, delay.hasBoundLately());
    } else {
      yields.heldBack();
    }
    Probe ended = delay.takeEndedProbe();
    if (ended != null && ended.foundEmpty()) {
      base.probed(ended.lost(), ended.packets());
      queue.raise(Math.max(0, ended.lowestNanos()));
    }
    if (delay.failedTwice() || yields.isYielding()) {
      mode = mode.after(ControlMode.Event.QUEUE_OF_OTHERS);
      window = Math.max(window, delay.windowBefore());
      compete.begin(window, nowNanos);
    }
  }

  private void competeRound(long nowNanos, boolean limited) {
    int lost = round.lost();
    int packets = round.packets();
    double excess = base.excess(lost, packets);
    boolean isLoss = excess > 3 || (lost > 0 && base.rate() < TINY_LOSS);
    boolean isRunaway = round.lossRate() > base.lastProbeLoss() + RUNAWAY_LOSS && excess > 4;
    CompeteMode.Signals signals =
        new CompeteMode.Signals(
            queue.mean(),
            queue.high(),
            target(),
            empty(),
            round.arrived(),
            isLoss,
            isRunaway,
            base.rate() >= TINY_LOSS,
            base.packets() >= BASE_PACKETS,
            trips.least(),
            trips.smoothed() / 1e9,
            lastRate * trips.least() / 1e9,
            capacity.highest() * (trips.least() + queue.mean()) / 1e9,
            sent,
            limited);
    boolean hadProbe = compete.isProbing();
    window = compete.round(window, signals, nowNanos);
    if (!hadProbe) {
      base.roundAtLevel(queue.mean(), queue.high(), lost, packets, compete.hasCut());
    }
    Probe ended = compete.takeEndedProbe();
    if (compete.isCalm()) {
      shareDelay();
    } else if (ended != null) {
      base.probed(ended.lost(), ended.packets());
      if (ended.foundEmpty()) {
        queue.raise(Math.max(0, ended.lowestNanos()));
        compete.left(window, nowNanos);
        enterDelay();
      } else if (compete.isPathLonger()) {
        queue.raise(ended.lowestNanos());
        trips.raiseLeast(ended.lowestNanos());
        enterDelay();
      }
    }
  }

  private void enterDelay() {
    window = 0.9 * capacity.highest() * (trips.least() + target()) / 1e9;
    shareDelay();
  }

  /** Other senders may be present that keep the queue short. */
  private void shareDelay() {
    mode = mode.after(ControlMode.Event.EMPTY);
    delay.begin(window, true);
    yields.begin();
  }

  /**
   * If more than 45 % is lost, and more than by the path itself, bounds the rate to what arrives
   * plus the path's own losses. A round of few packets does not determine that rate, so several are
   * used.
   */
  private void boundOverload() {
    overload.endRound(sent);
    double probed = base.probedLoss();
    boolean isOverloaded = overload.isOverloaded(round.lossRate(), probed);
    if (isOverloaded && round.arrivalRate() > 0 && mode != ControlMode.START) {
      double delivered =
          round.packets() >= FEW_PACKETS
              ? round.deliveryRate()
              : lastRate * (1 - overload.lossRate());
      double rate = overload.bound(delivered, probed, sent);
      window = Math.min(window, rate * trips.least() / 1e9);
    }
  }

  @Override
  public void onTimeout(int inARow) {
    resume.timedOut();
    if (inARow >= 3) {
      window = Math.max(LEAST_WINDOW, window / 2);
      delay.timedOut();
    }
  }

  /** Longest queueing delay that this sender may cause, in ns. */
  private double target() {
    double packets = capacity.highest() == 0 ? 0 : 3e9 / capacity.highest();
    return Math.max(trips.least() / 8, Math.max(3 * MILLI, packets));
  }

  /** Greatest delay of a queue that counts as empty, in ns. */
  private double empty() {
    double packets = capacity.highest() == 0 ? 0 : 1.5e9 / capacity.highest();
    return Math.max(trips.least() / 25, Math.max(MILLI, packets));
  }

  /** Largest change of delays by the clocks while a queue stood, in ns. */
  private double drift() {
    return Math.min(target() / 2, CLOCKS_DIFFER * queue.lowestAgeNanos());
  }

  @Override
  public double windowPackets() {
    return switch (mode) {
      case START -> window;
      case DELAY -> Math.min(window, delay.bound());
      case COMPETE -> Math.min(window, compete.bound());
    };
  }

  @Override
  public double packetsPerSecond() {
    boolean isJump = resume.phase() == ResumePhase.UNVALIDATED;
    double gain = mode != ControlMode.START ? PACE : isJump ? JUMP_PACE : START_PACE;
    return gain * windowPackets() * 1e9 / trips.smoothed();
  }

  @Override
  public String mode() {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** The path's loss rate below its capacity, as far as known. */
  public double baseLoss() {
    return base.rate();
  }

  /** Parameters of the path for the next start; null if too little is known. */
  public @Nullable RetainedPath retained() {
    return carried.packets() < RetainedPath.LEAST_PACKETS || !trips.isKnown()
        ? null
        : new RetainedPath(carried.packets(), (long) trips.least(), base.rate());
  }

  /** Whether the known parameters of the path have proved to be too high. */
  public boolean hasRetreated() {
    return resume.hasRetreated();
  }

  /** Packets per second, the highest rate of the path in the last minute. */
  public double capacity() {
    return capacity.highest();
  }
}
