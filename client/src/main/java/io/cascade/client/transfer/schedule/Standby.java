package io.cascade.client.transfer.schedule;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rule by which a connection of a transfer rests, and takes no new blocks, while the others are
 * likely to carry as much without it. Connections that share a bottleneck take its capacity from
 * each other, and one that begins in the queue of another leaves slow start early.
 *
 * <p>Connections run together at first. From time to time the slowest one rests for a trial, and
 * continues to rest if the others carry as much without it; or a resting one is tried again, and
 * stays if the sum grows by {@value #GROWTH}. So the best sum wins, even if that is a single
 * connection.
 *
 * <p>A preferred connection, through relays of which the plan is certain, begins when the blocks in
 * flight on the earlier ones have mostly arrived. It runs alone as long as it is quicker than those
 * were together; if they have little more to do than its beginning takes, they continue beside it.
 *
 * @param <C> a connection
 */
final class Standby<C> {
  /** Least factor by which another connection has to raise the rate. */
  static final double GROWTH = 1.05;

  /** Least factor of the rate that remains when a connection that adds nothing leaves. */
  static final double KEPT = 0.98;

  /** Span over which rates are compared. */
  static final long SPAN_NANOS = 1_000_000_000;

  private static final long LONGEST_DRAIN_NANOS = 500_000_000;
  private static final int DRAIN_DELAYS = 2;

  /** Time for a new connection to reach its rate. */
  private static final long LEAST_BEGINNING_NANOS = 750_000_000;

  private static final long LONGEST_BEGINNING_NANOS = 2_000_000_000;
  private static final int BEGINNING_DELAYS = 6;

  /** Least time that the remainder must take: a trial costs a little before it gains anything. */
  private static final double LEAST_SECONDS_LEFT = 4;

  /**
   * Least time that the remainder must take for the trial of a leave, which costs what the
   * connection would have carried.
   */
  private static final double LEAST_SECONDS_LEFT_TO_LEAVE = 10;

  /**
   * Least time that the earlier connections would need for the remainder for the preferred one to
   * run alone, since it has to begin first.
   */
  private static final double LEAST_SECONDS_TO_TAKE_OVER = 2;

  private static final long FIRST_PAUSE_NANOS = 2_000_000_000;
  private static final long FIRST_PAUSE_TO_LEAVE_NANOS = 4_000_000_000L;

  private final BlockLedger<C> ledger;

  /** All connections in the order in which they joined. */
  private final Set<C> all = new LinkedHashSet<>();

  private final Set<C> resting = new LinkedHashSet<>();

  /** Connections whose leave lowered the rate, since the latest one joined. */
  private final Set<C> proven = new LinkedHashSet<>();

  private Stage stage = Stage.STEADY;
  private @Nullable C preferred;

  /** The connection of a trial. */
  private @Nullable C tried;

  /** Time at which this stage began. */
  private long sinceNanos;

  /** Time from which there may be another trial. */
  private long nextNanos;

  private long pauseNanos = FIRST_PAUSE_NANOS;

  /** Rate of all that ran before a trial. */
  private double beforeBitsPerSecond;

  /**
   * Rate of the resting connections before they rested: below that, the one that runs alone gets
   * help.
   */
  private double leastBitsPerSecond;

  /** Whether the latest trial was of a leave. */
  private boolean leftLast;

  private enum Stage {
    /** All connections that do not rest run. */
    STEADY,
    /** None takes blocks until those in flight on the earlier ones have mostly arrived. */
    DRAINING,
    /** A resting connection takes blocks again, to measure whether that adds anything. */
    TRYING,
    /** A connection rests, to measure whether the others carry as much. */
    LEAVING
  }

  Standby(BlockLedger<C> ledger) {
    this.ledger = ledger;
  }

  /**
   * Adds a connection.
   *
   * @param isPreferred whether it is expected to be the quickest one alone
   */
  void joined(C connection, boolean isPreferred, long nowNanos) {
    forgetGone();
    endTrial();
    Set<C> before = Set.copyOf(all);
    all.add(connection);
    proven.clear();
    if (before.isEmpty()) {
      preferred = isPreferred ? connection : null;
      enter(Stage.STEADY, nowNanos);
    } else if (isPreferred) {
      preferred = connection;
      resting.addAll(before);
      pauseNanos = FIRST_PAUSE_NANOS;
      nextNanos = nowNanos + pauseNanos;
      leastBitsPerSecond =
          before.stream().mapToDouble(one -> ledger.pace(one).recentBitsPerSecond(nowNanos)).sum();
      enter(Stage.DRAINING, nowNanos);
    } else if (preferred != null && !resting.contains(preferred)) {
      resting.add(connection);
      leastBitsPerSecond = 0;
      enter(Stage.STEADY, nowNanos);
    } else {
      pauseNanos = FIRST_PAUSE_TO_LEAVE_NANOS;
      nextNanos = nowNanos + pauseNanos;
      enter(Stage.STEADY, nowNanos);
    }
  }

  /** Whether a connection takes no new blocks for now. */
  boolean rests(C connection, long unreadBytes, long nowNanos) {
    forgetGone();
    if (all.size() < 2) {
      return false;
    }
    move(unreadBytes, nowNanos);
    return stage == Stage.DRAINING || resting.contains(connection);
  }

  /** Whether all other connections rest. */
  boolean isAlone(C connection) {
    return all.size() > 1
        && stage == Stage.STEADY
        && resting.size() == all.size() - 1
        && !resting.contains(connection);
  }

  /**
   * Handles connections that ended, in any stage; if none is left that runs, the resting ones do.
   */
  private void forgetGone() {
    all.removeIf(one -> !ledger.knows(one));
    resting.retainAll(all);
    proven.retainAll(all);
    if (preferred != null && !all.contains(preferred)) {
      preferred = null;
    }
    if (tried != null && !all.contains(tried)) {
      tried = null;
      stage = Stage.STEADY;
    }
    if (resting.size() == all.size()) {
      resting.clear();
      stage = Stage.STEADY;
    }
  }

  /** Undoes the present trial. */
  private void endTrial() {
    C one = tried;
    if (one != null) {
      if (stage == Stage.TRYING) {
        resting.add(one);
      } else {
        resting.remove(one);
      }
      tried = null;
    }
  }

  private void move(long unreadBytes, long nowNanos) {
    switch (stage) {
      case DRAINING -> {
        if (Byte.SIZE * unreadBytes < LEAST_SECONDS_TO_TAKE_OVER * leastBitsPerSecond) {
          together(nowNanos);
        } else if (resting.stream().allMatch(one -> hasDrained(one, nowNanos))) {
          enter(Stage.STEADY, nowNanos);
        }
      }
      case STEADY -> {
        List<C> running = running();
        if (!running.stream().allMatch(one -> hasBegun(one, nowNanos))) {
          return;
        }
        double sum = rate(running, nowNanos);
        if (!resting.isEmpty() && isTooSlow(running, nowNanos)) {
          together(nowNanos);
        } else if (nowNanos >= nextNanos) {
          startTrial(running, sum, Byte.SIZE * unreadBytes / Math.max(1, sum), nowNanos);
        }
      }
      case TRYING -> {
        if (isTried(nowNanos)) {
          boolean adds = rate(running(), nowNanos) >= GROWTH * beforeBitsPerSecond;
          conclude(adds, nowNanos);
        }
      }
      case LEAVING -> {
        if (isTried(nowNanos)) {
          boolean isMissed = rate(running(), nowNanos) < KEPT * beforeBitsPerSecond;
          conclude(isMissed, nowNanos);
        }
      }
    }
  }

  private void startTrial(List<C> running, double sum, double secondsLeft, long nowNanos) {
    Optional<C> joins =
        secondsLeft > LEAST_SECONDS_LEFT
            ? resting.stream()
                .filter(one -> mayAdd(one, sum))
                .max(Comparator.comparingDouble(one -> ledger.pace(one).highestBitsPerSecond()))
            : Optional.empty();
    Optional<C> leaves =
        running.size() > 1 && secondsLeft > LEAST_SECONDS_LEFT_TO_LEAVE
            ? running.stream()
                .filter(one -> !proven.contains(one))
                .min(Comparator.comparingDouble(one -> rate(List.of(one), nowNanos)))
            : Optional.empty();
    if (leaves.isPresent() && (joins.isEmpty() || !leftLast)) {
      tried = leaves.get();
      resting.add(leaves.get());
      leftLast = true;
      enter(Stage.LEAVING, nowNanos);
    } else if (joins.isPresent()) {
      tried = joins.get();
      resting.remove(joins.get());
      leftLast = false;
      enter(Stage.TRYING, nowNanos);
    } else {
      return;
    }
    beforeBitsPerSecond = sum;
  }

  /** Ends a trial; trials become rarer, since each costs a little. */
  private void conclude(boolean runsOn, long nowNanos) {
    C one = tried;
    tried = null;
    if (one != null && runsOn) {
      resting.remove(one);
      if (stage == Stage.LEAVING) {
        proven.add(one);
      }
    } else if (one != null) {
      resting.add(one);
      leastBitsPerSecond = 0; // It was shown to add nothing.
    }
    pauseNanos *= 2;
    nextNanos = nowNanos + pauseNanos;
    enter(Stage.STEADY, nowNanos);
  }

  private void together(long nowNanos) {
    resting.clear();
    nextNanos = nowNanos + Math.max(pauseNanos, FIRST_PAUSE_TO_LEAVE_NANOS);
    enter(Stage.STEADY, nowNanos);
  }

  private void enter(Stage next, long nowNanos) {
    stage = next;
    sinceNanos = nowNanos;
  }

  private List<C> running() {
    return all.stream().filter(one -> !resting.contains(one)).toList();
  }

  /** Whether the blocks in flight have drained to what fills the path, or this takes too long. */
  private boolean hasDrained(C connection, long nowNanos) {
    Pace pace = ledger.pace(connection);
    double path = pace.recentBitsPerSecond(nowNanos) / 8 * pace.leastDelayNanos() / 1e9;
    long longest = Math.min(LONGEST_DRAIN_NANOS, DRAIN_DELAYS * pace.leastDelayNanos());
    return nowNanos - sinceNanos >= longest || ledger.underWayBytes(connection) <= path;
  }

  private boolean hasBegun(C connection, long nowNanos) {
    long delays = BEGINNING_DELAYS * ledger.pace(connection).leastDelayNanos();
    return nowNanos - sinceNanos
        >= Math.clamp(delays, LEAST_BEGINNING_NANOS, LONGEST_BEGINNING_NANOS);
  }

  /**
   * Whether no more arrives over them than over the others before, although blocks are available.
   */
  private boolean isTooSlow(List<C> running, long nowNanos) {
    double latest =
        running.stream().mapToDouble(one -> ledger.pace(one).recentBitsPerSecond(nowNanos)).sum();
    return running.stream().noneMatch(ledger::isIdle)
        && Math.max(latest, rate(running, nowNanos)) <= leastBitsPerSecond;
  }

  /** Whether a resting connection would add enough at best, as far as is known. */
  private boolean mayAdd(C connection, double bitsPerSecond) {
    double most = ledger.pace(connection).highestBitsPerSecond();
    return most == 0 || most >= (GROWTH - 1) * bitsPerSecond;
  }

  /** Returns whether what arrived in the latest span was sent after the change. */
  private boolean isTried(long nowNanos) {
    long delay = all.stream().mapToLong(one -> ledger.pace(one).leastDelayNanos()).max().orElse(0);
    long settled = Math.clamp(2 * delay, SPAN_NANOS / 2, SPAN_NANOS);
    return nowNanos - sinceNanos >= settled + SPAN_NANOS;
  }

  private double rate(Collection<C> connections, long nowNanos) {
    return connections.stream()
        .mapToDouble(one -> ledger.pace(one).bitsPerSecond(nowNanos - SPAN_NANOS, nowNanos))
        .sum();
  }
}
