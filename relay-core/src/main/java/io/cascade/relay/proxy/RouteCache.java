package io.cascade.relay.proxy;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.RouteTrial;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The known routes. No stream waits for one: the first stream to a destination goes directly and
 * causes one request for a route; later streams use the chain once it is open. An old route stays
 * valid until a newer one is known, so that known routes are used while the orchestrator does not
 * answer.
 *
 * <p>A chain on trial is compared with the direct path ({@link PathTrial}). The result is sent with
 * the next requests, and applies until it expires or the planner names another chain.
 */
final class RouteCache {
  private static final Logger LOG = Logger.getLogger(RouteCache.class.getName());

  /** Time until a failed request, or a failed chain, is tried again. */
  static final Duration RETRY = Duration.ofSeconds(10);

  private static final int MOST_QUESTIONS = 32;

  private final RoutingDecision.@Nullable Planner planner;
  private final Executor threads;
  private final LongSupplier nanos;
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
  private final Map<String, CachedRoute> entries;

  /**
   * The path of one stream.
   *
   * @param chain null for the direct path
   * @param trial null if the stream need not be measured
   */
  record Choice(@Nullable UUID chain, @Nullable PathTrial trial) {
    static final Choice DIRECTLY = new Choice(null, null);

    PathKind path() {
      return chain == null ? PathKind.DIRECT : PathKind.CHAIN;
    }
  }

  /** State of one destination. */
  private static final class CachedRoute {
    @Nullable UUID chain;
    @Nullable PathTrial trial;
    boolean asking;
    long askAgainAt;

    CachedRoute(long now) {
      this.askAgainAt = now;
    }
  }

  /**
   * @param planner null if everything goes directly
   * @param threads for requests, which block
   */
  RouteCache(
      RoutingDecision.@Nullable Planner planner,
      int mostRoutes,
      Executor threads,
      LongSupplier nanos) {
    this.planner = planner;
    this.entries = BoundedMap.ofLatestUsed(mostRoutes);
    this.threads = threads;
    this.nanos = nanos;
  }

  /**
   * Chooses the path of the next stream to a destination. Never waits.
   *
   * @param kept path that it must use if available; null for any
   */
  Choice next(String destination, @Nullable PathKind kept) {
    RoutingDecision.Planner asked = planner;
    if (asked == null) {
      return Choice.DIRECTLY;
    }
    Choice choice;
    CachedRoute ask = null;
    RouteTrial found = null;
    synchronized (entries) {
      long now = nanos.getAsLong();
      CachedRoute entry = entries.computeIfAbsent(destination, _ -> new CachedRoute(now));
      choice = choose(destination, entry, kept, now);
      if (!entry.asking && now - entry.askAgainAt >= 0 && questions.tryAcquire()) {
        entry.asking = true;
        ask = entry;
        PathTrial trial = entry.trial;
        found = trial == null || !trial.counts(now) ? null : trial.report(now);
      }
    }
    if (ask != null) {
      CachedRoute entry = ask;
      RouteTrial trial = found;
      threads.execute(() -> ask(asked, destination, trial, entry));
    }
    return choice;
  }

  /** Adds the measurement of a stream of a trial. */
  void measured(String destination, Choice choice, StreamPace.Achieved achieved) {
    PathTrial trial = choice.trial();
    if (trial == null) {
      return;
    }
    synchronized (entries) {
      CachedRoute entry = entries.get(destination);
      if (entry != null && entry.trial == trial) {
        long now = nanos.getAsLong();
        during(destination, entry, trial, () -> trial.measured(choice.path(), achieved, now));
      }
    }
  }

  /**
   * Records that the chain accepts no streams; they go directly until the planner has answered
   * again.
   */
  void unavailable(String destination, UUID chain) {
    synchronized (entries) {
      CachedRoute entry = entries.get(destination);
      if (entry != null && chain.equals(entry.chain)) {
        entry.chain = null;
        entry.askAgainAt = nanos.getAsLong() + RETRY.toNanos();
      }
    }
  }

  /** Records that the chain accepted a stream and failed it. A trial of the chain ends at once. */
  void failed(String destination, UUID chain) {
    synchronized (entries) {
      unavailable(destination, chain);
      failedToReach(destination, chain);
    }
  }

  /**
   * Records that the chain's last relay did not reach the destination. The chain works, but the
   * direct path may reach it, so a trial ends at once.
   */
  void failedToReach(String destination, UUID chain) {
    synchronized (entries) {
      CachedRoute entry = entries.get(destination);
      PathTrial trial = entry == null ? null : entry.trial;
      if (entry != null && trial != null && trial.chain().equals(chain)) {
        long now = nanos.getAsLong();
        during(destination, entry, trial, () -> trial.failed(now));
      }
    }
  }

  private Choice choose(String destination, CachedRoute entry, @Nullable PathKind kept, long now) {
    UUID chain = entry.chain;
    PathTrial trial = entry.trial;
    if (chain == null) {
      return Choice.DIRECTLY;
    }
    if (trial == null || !trial.chain().equals(chain)) {
      return kept == PathKind.DIRECT ? Choice.DIRECTLY : new Choice(chain, null);
    }
    PathKind[] path = {kept == null ? PathKind.DIRECT : kept};
    if (kept == null) {
      during(destination, entry, trial, () -> path[0] = trial.next(now));
    }
    return new Choice(path[0] == PathKind.CHAIN ? chain : null, trial.running() ? trial : null);
  }

  /**
   * Makes a step of a trial; if that decides the trial, the next stream reports it to the planner.
   */
  private void during(String destination, CachedRoute entry, PathTrial trial, Runnable step) {
    boolean running = trial.running();
    step.run();
    if (running && !trial.running()) {
      entry.askAgainAt = nanos.getAsLong();
      String found = destination + ": " + trial.summary();
      threads.execute(() -> LOG.info(found)); // logging would block the event loop
    }
  }

  private void ask(
      RoutingDecision.Planner asked,
      String destination,
      @Nullable RouteTrial trial,
      CachedRoute entry) {
    RoutingDecision decision = null;
    try {
      decision = asked.plan(destination, trial);
    } catch (RuntimeException | Error e) { // or this destination would never be asked for again
      LOG.log(
          e instanceof Error ? Level.WARNING : Level.FINE,
          "no route to {0}: {1}",
          new Object[] {destination, String.valueOf(e)});
    } finally {
      questions.release();
    }
    synchronized (entries) {
      entry.asking = false;
      long now = nanos.getAsLong();
      if (decision != null) {
        learn(entry, decision, now);
      }
      Duration wait =
          decision == null ? RETRY : untold(entry, trial) ? Duration.ZERO : decision.valid();
      entry.askAgainAt = now + wait.toNanos();
    }
  }

  /** Whether a trial was decided after the planner was told that it still ran. */
  private static boolean untold(CachedRoute entry, @Nullable RouteTrial told) {
    PathTrial trial = entry.trial;
    return told != null && told.verdict() == null && trial != null && !trial.running();
  }

  private static void learn(CachedRoute entry, RoutingDecision decision, long now) {
    UUID before = entry.chain;
    UUID chain = decision.chain();
    PathTrial trial = entry.trial;
    entry.chain = chain;
    if (chain == null) {
      return; // results for the chain may still be valid
    }
    boolean same = trial != null && trial.chain().equals(chain) && trial.counts(now);
    if (decision.trial() && !same) {
      boolean taken = chain.equals(before) && (trial == null || trial.standing() == PathKind.CHAIN);
      entry.trial = new PathTrial(chain, taken ? PathKind.CHAIN : PathKind.DIRECT, now);
    } else if (!decision.trial() && (!same || trial == null || trial.running())) {
      entry.trial = null;
    }
  }
}
