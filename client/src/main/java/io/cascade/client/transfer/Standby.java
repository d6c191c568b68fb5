package io.cascade.client.transfer;

import org.jspecify.annotations.Nullable;

/**
 * Rule by which one of a transfer's two connections takes no new blocks while the other one is
 * likely to carry as much without it. Two that share a bottleneck take its capacity from each
 * other, and one that begins in the queue of the other leaves slow start early.
 *
 * <p>A connection that is preferred, through relays of which the plan is certain, begins when what
 * the earlier one had under way has mostly arrived. It runs alone as long as it is quicker than
 * that one was; where the earlier one has hardly more to do than that beginning takes, it goes on
 * beside it. The one that rests is tried beside it from time to time, and stays if both together
 * carry {@value #GROWTH} times as much. Connections of which none is preferred run together.
 *
 * @param <C> a connection
 */
final class Standby<C> {
  /** Factor by which a second connection has to raise the rate. */
  static final double GROWTH = 1.05;

  /** Rates are compared over so long. */
  static final long SPAN_NANOS = 1_000_000_000;

  private static final long LONGEST_DRAIN_NANOS = 500_000_000;
  private static final int DRAIN_DELAYS = 2;

  /** Time to find its rate, for a connection that begins. */
  private static final long LEAST_BEGINNING_NANOS = 750_000_000;

  private static final long LONGEST_BEGINNING_NANOS = 2_000_000_000;
  private static final int BEGINNING_DELAYS = 6;

  /** Time that what is left must take: a trial costs a little before it gains anything. */
  private static final double LEAST_SECONDS_LEFT = 4;

  /** Time that the earlier one would need for what is left: the other one begins anew for it. */
  private static final double LEAST_SECONDS_TO_TAKE_OVER = 2;

  private static final long FIRST_PAUSE_NANOS = 2_000_000_000;

  private final BlockLedger<C> ledger;

  private Stage stage = Stage.TOGETHER;
  private @Nullable C latest;
  private @Nullable Pair<C> pair;
  private @Nullable C preferred;
  private @Nullable C resting;

  /** Moment at which this stage began. */
  private long sinceNanos;

  /** Moment from which the one that rests may be tried again. */
  private long nextNanos;

  private long pauseNanos = FIRST_PAUSE_NANOS;

  /** Rate before the one that rests was tried. */
  private double aloneBitsPerSecond;

  /** Rate of the one that rests before it did: below that, the one that runs alone gets help. */
  private double leastBitsPerSecond;

  /** The two connections, in the order in which they came. */
  private record Pair<C>(C earlier, C later) {
    C beside(C one) {
      return one.equals(earlier) ? later : earlier;
    }
  }

  private enum Stage {
    /** None rests. */
    TOGETHER,
    /** None takes blocks until what the earlier one has under way has mostly arrived. */
    DRAINING,
    /** One rests. */
    ALONE,
    /** One that rested takes blocks again, to see whether that adds anything. */
    TRYING
  }

  Standby(BlockLedger<C> ledger) {
    this.ledger = ledger;
  }

  /**
   * A connection has joined.
   *
   * @param isPreferred whether it is expected to be the quicker one by itself
   */
  void joined(C connection, boolean isPreferred, long nowNanos) {
    C before = latest;
    if (pair != null && !ledger.knows(pair.later())) {
      before = pair.earlier();
    }
    latest = connection;
    pair = before == null || !ledger.knows(before) ? null : new Pair<>(before, connection);
    preferred = isPreferred ? connection : preferred;
    resting = null;
    enter(Stage.TOGETHER, nowNanos);
    if (before == null || pair == null) {
      return;
    }
    if (isPreferred) {
      resting = before;
      pauseNanos = FIRST_PAUSE_NANOS;
      nextNanos = nowNanos + pauseNanos;
      leastBitsPerSecond = ledger.pace(before).recentBitsPerSecond(nowNanos);
      enter(Stage.DRAINING, nowNanos);
    } else if (before.equals(preferred)) {
      resting = connection;
      leastBitsPerSecond = 0;
      enter(Stage.ALONE, nowNanos);
    }
  }

  /** Whether a connection takes no new blocks for now. */
  boolean rests(C connection, long unreadBytes, long nowNanos) {
    Pair<C> both = both();
    if (both == null) {
      return false;
    }
    move(both, unreadBytes, nowNanos);
    return stage == Stage.DRAINING || (stage == Stage.ALONE && connection.equals(resting));
  }

  /** Whether the other one of two connections rests. */
  boolean isAlone(C connection) {
    return both() != null && stage == Stage.ALONE && !connection.equals(resting);
  }

  private @Nullable Pair<C> both() {
    Pair<C> both = pair;
    return both != null
            && ledger.connections() == 2
            && ledger.knows(both.earlier())
            && ledger.knows(both.later())
        ? both
        : null;
  }

  private void move(Pair<C> both, long unreadBytes, long nowNanos) {
    C rests = resting == null ? both.earlier() : resting;
    C runs = both.beside(rests);
    double sum = rate(both.earlier(), nowNanos) + rate(both.later(), nowNanos);
    boolean mayTry = nowNanos >= nextNanos && Byte.SIZE * unreadBytes > LEAST_SECONDS_LEFT * sum;
    switch (stage) {
      case TOGETHER -> {}
      case DRAINING -> {
        if (Byte.SIZE * unreadBytes < LEAST_SECONDS_TO_TAKE_OVER * leastBitsPerSecond) {
          together(nowNanos);
        } else if (hasDrained(rests, nowNanos)) {
          enter(Stage.ALONE, nowNanos);
        }
      }
      case ALONE -> {
        if (hasBegun(runs, nowNanos) && isTooSlow(runs, nowNanos)) {
          together(nowNanos);
        } else if (mayTry && hasBegun(runs, nowNanos) && mayAdd(rests, sum)) {
          aloneBitsPerSecond = sum;
          enter(Stage.TRYING, nowNanos);
        }
      }
      case TRYING -> {
        if (isTried(both, nowNanos)) {
          postpone(nowNanos);
          if (sum >= GROWTH * aloneBitsPerSecond) {
            together(nowNanos);
          } else {
            enter(Stage.ALONE, nowNanos);
          }
        }
      }
    }
  }

  private void together(long nowNanos) {
    resting = null;
    enter(Stage.TOGETHER, nowNanos);
  }

  private void enter(Stage next, long nowNanos) {
    stage = next;
    sinceNanos = nowNanos;
  }

  /** Trials become rarer, since each costs a little. */
  private void postpone(long nowNanos) {
    pauseNanos *= 2;
    nextNanos = nowNanos + pauseNanos;
  }

  /** Only what fills its path is left of what it had under way, or it takes too long. */
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

  /** No more arrives over it than over the other one before, and not for want of blocks. */
  private boolean isTooSlow(C connection, long nowNanos) {
    double latest = ledger.pace(connection).recentBitsPerSecond(nowNanos);
    return !ledger.isIdle(connection)
        && Math.max(latest, rate(connection, nowNanos)) <= leastBitsPerSecond;
  }

  /** Whether one that rests would add enough at the best, as far as is known. */
  private boolean mayAdd(C connection, double bitsPerSecond) {
    double most = ledger.pace(connection).highestBitsPerSecond();
    return most == 0 || most >= (GROWTH - 1) * bitsPerSecond;
  }

  /** Returns whether what arrived in the latest span was sent after the change. */
  private boolean isTried(Pair<C> both, long nowNanos) {
    long delay =
        Math.max(
            ledger.pace(both.earlier()).leastDelayNanos(),
            ledger.pace(both.later()).leastDelayNanos());
    long settled = Math.clamp(2 * delay, SPAN_NANOS / 2, SPAN_NANOS);
    return nowNanos - sinceNanos >= settled + SPAN_NANOS;
  }

  private double rate(C connection, long nowNanos) {
    return ledger.pace(connection).bitsPerSecond(nowNanos - SPAN_NANOS, nowNanos);
  }
}
