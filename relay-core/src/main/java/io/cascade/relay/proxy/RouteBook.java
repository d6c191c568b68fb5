package io.cascade.relay.proxy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The routes that are known. Nobody waits for one: the first stream to a destination goes directly
 * and sets the question off, once however many come; later ones take the chain when it is there. An
 * old route is good until a newer one is known, so that what is known is used on while the
 * orchestrator is away.
 */
final class RouteBook {
  private static final Logger LOG = Logger.getLogger(RouteBook.class.getName());

  /** Before a question is repeated that nobody could answer, or a chain that failed is believed. */
  static final Duration RETRY = Duration.ofSeconds(10);

  private static final int MOST_QUESTIONS = 32;

  private final Route.@Nullable Planner planner;
  private final int mostRoutes;
  private final Executor threads;
  private final LongSupplier nanos;
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
  private final Map<String, Known> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > mostRoutes;
        }
      };

  private static final class Known {
    @Nullable UUID chain;
    boolean asking;
    long askAgainAt;

    Known(long now) {
      this.askAgainAt = now;
    }
  }

  /**
   * @param planner null where everything goes directly
   * @param threads for questions, which block
   */
  RouteBook(Route.@Nullable Planner planner, int mostRoutes, Executor threads, LongSupplier nanos) {
    this.planner = planner;
    this.mostRoutes = mostRoutes;
    this.threads = threads;
    this.nanos = nanos;
  }

  /** The chain to a destination; null for directly. Never waits. */
  @Nullable UUID chainTo(String destination) {
    Route.Planner asked = planner;
    if (asked == null) {
      return null;
    }
    UUID chain;
    Known ask = null;
    synchronized (entries) {
      long now = nanos.getAsLong();
      Known entry = entries.computeIfAbsent(destination, _ -> new Known(now));
      chain = entry.chain;
      if (!entry.asking && now - entry.askAgainAt >= 0 && questions.tryAcquire()) {
        entry.asking = true;
        ask = entry;
      }
    }
    if (ask != null) {
      Known entry = ask;
      threads.execute(() -> ask(asked, destination, entry));
    }
    return chain;
  }

  /** The chain did not carry a stream: directly, until the planner has been asked again. */
  void failed(String destination, UUID chain) {
    synchronized (entries) {
      Known entry = entries.get(destination);
      if (entry != null && chain.equals(entry.chain)) {
        entry.chain = null;
        entry.askAgainAt = nanos.getAsLong() + RETRY.toNanos();
      }
    }
  }

  private void ask(Route.Planner asked, String destination, Known entry) {
    Route route = null;
    try {
      route = asked.plan(destination);
    } catch (RuntimeException e) {
      LOG.log(
          Level.FINE,
          "no route to {0}: {1}",
          new Object[] {destination, String.valueOf(e.getMessage())});
    } finally {
      questions.release();
    }
    synchronized (entries) {
      entry.asking = false;
      if (route != null) {
        entry.chain = route.chain();
      }
      Duration wait = route == null ? RETRY : route.valid();
      entry.askAgainAt = nanos.getAsLong() + wait.toNanos();
    }
  }
}
