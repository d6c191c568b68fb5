package io.cascade.orchestrator.security;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rate limit for many parties: a number of uses at once, and one more after each period. Remembers
 * a bounded number of parties, the most recent ones.
 */
public final class Allowances {
  private static final int MOST_REMEMBERED = 10_000;

  private final Timekeeper time;
  private final int atOnce;
  private final double millisPerOne;
  private final Map<String, Spent> spent = new LinkedHashMap<>(64, 0.75f, true);

  private record Spent(double count, long mark) {}

  /**
   * @param per time after which one more use is allowed
   */
  public Allowances(Timekeeper time, int atOnce, Duration per) {
    this.time = time;
    this.atOnce = atOnce;
    this.millisPerOne = per.toNanos() / 1e6;
  }

  /**
   * Takes one use, if there is one left.
   *
   * @return 0, or the seconds until the next use, at least 1
   */
  public synchronized long take(String who) {
    long wait = secondsUntilNext(who);
    if (wait == 0) {
      spent.put(who, new Spent(count(who) + 1, time.mark()));
      if (spent.size() > MOST_REMEMBERED) {
        spent.remove(spent.keySet().iterator().next());
      }
    }
    return wait;
  }

  /** Seconds until the next use is allowed; 0 if it is allowed now. */
  public synchronized long secondsUntilNext(String who) {
    double over = count(who) + 1 - atOnce;
    return over <= 1e-9 ? 0 : Math.max(1, (long) Math.ceil(over * millisPerOne / 1e3));
  }

  private double count(String who) {
    Spent before = spent.get(who);
    return before == null
        ? 0
        : Math.max(0, before.count() - time.millisSince(before.mark()) / millisPerOne);
  }
}
