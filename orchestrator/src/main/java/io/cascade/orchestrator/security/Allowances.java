package io.cascade.orchestrator.security;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often each of many may do something: so many times at once, and again with time. Remembers
 * those that did it last, and a bounded number of them.
 */
public final class Allowances {
  private static final int MOST_REMEMBERED = 10_000;

  private final Timekeeper time;
  private final int atOnce;
  private final double millisPerOne;
  private final Map<String, Spent> spent = new LinkedHashMap<>(64, 0.75f, true);

  private record Spent(double count, long mark) {}

  /**
   * @param per time for one more
   */
  public Allowances(Timekeeper time, int atOnce, Duration per) {
    this.time = time;
    this.atOnce = atOnce;
    this.millisPerOne = per.toNanos() / 1e6;
  }

  /**
   * Spends one, if there is one left.
   *
   * @return 0, or in how many seconds there will be one, at least 1
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

  /** 0 where there is one left, otherwise in how many seconds there will be. */
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
