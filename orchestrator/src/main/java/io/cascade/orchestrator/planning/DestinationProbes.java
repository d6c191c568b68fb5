package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.HostPort;
import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Measurements of relays to destinations, asked for when a plan needs them and kept for ten
 * seconds. A first look of a few connections says whether a destination is reached and how far it
 * is; a second one of many says more of loss, and a plan that is in a hurry does not wait for it.
 *
 * <p>Counts add up over the window of a link, so that repeated plans know more than the first.
 * Whoever asks while a probe is under way waits for that one. A relay that refuses a probe is asked
 * again ten seconds later at the earliest, too.
 *
 * <p>What is known is not measured again: there is no second look while what was seen within the
 * window is as much as one makes. All relays together make so many connections an hour to a
 * destination as {@link DestinationBudget} allows; after that plans go by what was measured.
 */
@Component
class DestinationProbes {
  private static final Duration KEPT = Duration.ofSeconds(10);
  private static final int MOST_PATHS = 1_000;
  private static final int FIRST_LOOK = 8;

  /** The status of a relay that has too many probes under way (RFC 6585). */
  private static final int TOO_MANY = 429;

  /**
   * The most of both looks together: they fill the server's log, and the server may take more for
   * an attack.
   */
  private static final int MOST_CONNECTIONS = 50;

  private static final Duration PER_CONNECTION = Duration.ofMillis(1_500);
  private static final Duration PER_RELAY = Duration.ofSeconds(9);

  private final RelayControls controls;
  private final Timekeeper time;
  private final DestinationBudget budget;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final LinkedHashMap<Path, Probed> paths = BoundedMap.ofLatestUsed(MOST_PATHS);

  DestinationProbes(RelayControls controls, Timekeeper time) {
    this.controls = controls;
    this.time = time;
    this.budget = new DestinationBudget(time);
  }

  /**
   * Path from a relay to a destination. Measurements for callers without restrictions are not told
   * to others.
   */
  private record Path(String relay, HostPort destination, boolean guarded) {}

  /**
   * A probe that is under way or was made.
   *
   * @param whole after the second look
   * @param earlier what the probe before has shown
   */
  private record Probed(
      LinkWindow window,
      long askedAt,
      CompletableFuture<Outcome> first,
      CompletableFuture<Outcome> whole,
      Optional<Outcome> earlier) {
    CompletableFuture<Outcome> outcome(boolean thorough) {
      return thorough || whole.isDone() ? whole : first;
    }

    /** The latest outcome that is there already. */
    Optional<Outcome> seen() {
      CompletableFuture<Outcome> latest = outcome(false);
      return latest.isDone() ? Optional.of(latest.join()) : earlier;
    }
  }

  /**
   * Outcome of one relay's probe.
   *
   * @param counts of connections made, a late one counting as a loss; sent is 0 where none was
   * @param failure why no connection was made
   * @param obstacle why there is nothing, where that is the relay's own affair
   */
  record Outcome(LinkWindow.Counts counts, @Nullable String failure, Obstacle obstacle) {
    /** Whether the relay had too many probes under way to try at all. */
    boolean busy() {
      return obstacle == Obstacle.BUSY;
    }

    /** Whether no more connections are made there within this hour. */
    boolean exhausted() {
      return obstacle == Obstacle.EXHAUSTED;
    }

    /** Whether the relay may not connect there. */
    boolean notAllowed() {
      return obstacle == Obstacle.NOT_ALLOWED;
    }
  }

  /** Obstacle that kept a relay from trying. */
  enum Obstacle {
    NONE,
    BUSY,
    /** The destination's hour has no connections left, and nothing is known from before. */
    EXHAUSTED,
    NOT_ALLOWED
  }

  /**
   * All at the same time.
   *
   * @param guarded whether a proxy's client named the destination
   * @param thorough whether to wait for the second look
   */
  Map<String, Outcome> probe(
      Collection<RegisteredRelay> relays, HostPort destination, boolean guarded, boolean thorough) {
    Map<String, CompletableFuture<Outcome>> asked = new LinkedHashMap<>();
    relays.forEach(relay ->
        asked.put(
            relay.name(),
            ask(relay, new Path(relay.name(), destination, guarded)).outcome(thorough)));
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    asked.forEach((relay, outcome) -> outcomes.put(relay, outcome.join()));
    return outcomes;
  }

  /**
   * What earlier probes have shown, however long ago; nothing is asked for, nor waited for.
   *
   * @param guarded whether a proxy's client named the destination
   * @return outcomes of those of the relays that have ever probed
   */
  synchronized Map<String, Outcome> known(
      Collection<String> relays, HostPort destination, boolean guarded) {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (String relay : relays) {
      Probed before = paths.get(new Path(relay, destination, guarded));
      if (before != null) {
        before.seen().ifPresent(outcome -> outcomes.put(relay, outcome));
      }
    }
    return outcomes;
  }

  private synchronized Probed ask(RegisteredRelay relay, Path path) {
    Probed before = paths.get(path);
    if (before != null && (!before.whole.isDone() || !time.passed(before.askedAt, KEPT))) {
      return before;
    }
    LinkWindow window = before == null ? LinkWindow.recent(time.steady()) : before.window;
    CompletableFuture<Outcome> first =
        CompletableFuture.supplyAsync(() -> look(relay, path, window), threads);
    CompletableFuture<Outcome> whole =
        first.thenApplyAsync(
            seen -> seen.failure() == null ? lookAgain(relay, path, window, seen) : seen, threads);
    Probed asked =
        new Probed(
            window, time.mark(), first, whole, before == null ? Optional.empty() : before.seen());
    paths.put(path, asked);
    return asked;
  }

  private Outcome look(RegisteredRelay relay, Path path, LinkWindow window) {
    int connections = take(path, FIRST_LOOK);
    if (connections == 0) {
      return known(window);
    }
    try {
      return outcome(ask(relay, path, connections), window);
    } catch (ProblemException e) {
      return outcome(
          window,
          String.valueOf(e.getMessage()),
          e.status() == TOO_MANY ? Obstacle.BUSY : Obstacle.NONE);
    } catch (RuntimeException e) {
      return outcome(window, String.valueOf(e.getMessage()), Obstacle.NONE);
    }
  }

  /** Keeps what was seen where the relay is too busy for a second look, or does not answer. */
  private Outcome lookAgain(RegisteredRelay relay, Path path, LinkWindow window, Outcome before) {
    int connections =
        before.counts().sent() >= MOST_CONNECTIONS ? 0 : take(path, MOST_CONNECTIONS - FIRST_LOOK);
    if (connections == 0) {
      return before;
    }
    try {
      return outcome(ask(relay, path, connections), window);
    } catch (ProblemException e) {
      return e.status() == TOO_MANY
          ? before
          : outcome(window, String.valueOf(e.getMessage()), Obstacle.NONE);
    } catch (RuntimeException e) {
      return before;
    }
  }

  private synchronized int take(Path path, int connections) {
    return budget.take(path.destination(), connections);
  }

  /** What was measured before, where nothing more may be. */
  private synchronized Outcome known(LinkWindow window) {
    LinkWindow.Counts before = window.counts(time.steady());
    return before.sent() == 0
        ? new Outcome(before, "as many connections were made this hour", Obstacle.EXHAUSTED)
        : new Outcome(before, null, Obstacle.NONE);
  }

  private ProbeReport ask(RegisteredRelay relay, Path path, int connections) {
    return controls
        .of(relay)
        .probe(
            new ProbeRequest(
                path.destination().host(),
                path.destination().port(),
                connections,
                (int) PER_CONNECTION.toMillis(),
                path.guarded() ? true : null),
            PER_RELAY);
  }

  private synchronized Outcome outcome(ProbeReport report, LinkWindow window) {
    Instant now = time.steady();
    if (report.connected() > report.attempts()) {
      return outcome(window, "more connections than attempts were reported", Obstacle.NONE);
    }
    if (report.connected() == 0) {
      return outcome(
          window,
          report.failure() == null ? "no connection" : report.failure(),
          Boolean.TRUE.equals(report.notAllowed()) ? Obstacle.NOT_ALLOWED : Obstacle.NONE);
    }
    window.add(
        now,
        report.attempts(),
        Math.min(report.attempts(), report.late() + report.attempts() - report.connected()),
        report.minRttMillis(),
        report.medianRttMillis(),
        null);
    return new Outcome(window.counts(now), null, Obstacle.NONE);
  }

  /** A destination that refuses today is not reached by what was measured a minute ago. */
  private synchronized Outcome outcome(LinkWindow window, String failure, Obstacle obstacle) {
    LinkWindow.Counts before = window.counts(time.steady());
    return new Outcome(
        new LinkWindow.Counts(0, 0, null, null, null, before.updatedAt()), failure, obstacle);
  }
}
