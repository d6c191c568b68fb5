package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.HostPort;
import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Measurements of relays to destinations, requested when a plan needs them and kept for ten
 * seconds. A first probe of a few connections shows whether a destination is reached and its
 * round-trip time; a second one of many connections shows more of the loss, and a hurried plan does
 * not wait for it.
 *
 * <p>Counts add up over the window of a link, so that repeated plans know more than the first. A
 * plan that needs a probe which is under way waits for it. A relay that refuses a probe is asked
 * again ten seconds later at the earliest, too.
 *
 * <p>What is known is not measured again: while the window holds as many connections as both probes
 * open, a single connection shows that the destination still answers. All relays together open as
 * many connections per hour to a destination as {@link DestinationBudget} allows, of which second
 * probes leave enough for a first one of each relay; after that plans use the measurements of the
 * last hour.
 */
@Component
class DestinationProbes {
  private static final Duration KEPT = Duration.ofSeconds(10);

  /** Age up to which measurements are used when no more connections may be opened. */
  private static final Duration LAST_KNOWN = Duration.ofHours(1);

  private static final int MOST_PATHS = 1_000;
  private static final int FIRST_LOOK = 8;

  /** Failure that a relay reports for an unanswered connection, whose packets may be lost. */
  private static final String TIMED_OUT = "timed out";

  /** The status of a relay that has too many probes under way (RFC 6585). */
  private static final int TOO_MANY = 429;

  /**
   * Most connections of both probes together: they fill the server's log, and more may look like an
   * attack.
   */
  private static final int MOST_CONNECTIONS = 50;

  private static final Duration PER_CONNECTION = Duration.ofMillis(1_500);
  private static final Duration PER_RELAY = Duration.ofSeconds(9);

  private final RelayControls controls;
  private final Timekeeper time;
  private final DestinationBudget budget;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final LinkedHashMap<Path, Probed> paths = BoundedMap.ofLatestUsed(MOST_PATHS);

  /** Index of the relay that is first in the next round. */
  private int turn;

  DestinationProbes(RelayControls controls, Timekeeper time) {
    this.controls = controls;
    this.time = time;
    this.budget = new DestinationBudget(time);
  }

  /**
   * Path from a relay to a destination. Measurements for callers without restrictions are not shown
   * to others.
   */
  private record Path(String relay, HostPort destination, boolean guarded) {}

  /** Results of the probes of a path. Guarded by the lock of its owner. */
  private static final class Looks {
    private final LinkWindow window;

    /**
     * Outcome with the most connections within an hour; null if the destination has refused since.
     */
    private @Nullable Outcome reached;

    Looks(Instant now) {
      window = LinkWindow.recent(now);
    }
  }

  /**
   * A probe that is under way or has ended.
   *
   * @param whole completes after the second probe
   * @param earlier outcome of the probe before
   */
  private record Probed(
      Looks looks,
      long askedAt,
      CompletableFuture<Outcome> first,
      CompletableFuture<Outcome> whole,
      Optional<Outcome> earlier) {
    /** The latest outcome that is complete. */
    Optional<Outcome> seen() {
      CompletableFuture<Outcome> latest = whole.isDone() ? whole : first;
      return latest.isDone() ? Optional.of(latest.join()) : earlier;
    }
  }

  /**
   * Outcome of one relay's probe.
   *
   * @param counts connections opened, a late one counting as a loss; sent is 0 if there was none
   * @param failure why no connection was opened
   * @param obstacle the relay's own reason for not trying
   */
  record Outcome(LinkWindow.Counts counts, @Nullable String failure, Obstacle obstacle) {
    /** Whether the relay had too many probes under way to start one. */
    boolean busy() {
      return obstacle == Obstacle.BUSY;
    }

    /** Whether no more connections to the destination may be opened within this hour. */
    boolean exhausted() {
      return obstacle == Obstacle.EXHAUSTED;
    }

    /** Whether the relay is not allowed to connect to the destination. */
    boolean notAllowed() {
      return obstacle == Obstacle.NOT_ALLOWED;
    }
  }

  /** Obstacle that kept a relay from trying. */
  enum Obstacle {
    NONE,
    BUSY,
    /**
     * The destination's hour has no connections left, and nothing was measured within the hour
     * before.
     */
    EXHAUSTED,
    NOT_ALLOWED
  }

  /**
   * Probes by all relays in parallel. Relays are compared by probes of the same kind: by second
   * ones if all of these are complete or awaited.
   *
   * @param guarded whether a proxy's client named the destination
   * @param thorough whether to wait for the second probe
   */
  Map<String, Outcome> probe(
      Collection<RegisteredRelay> relays, HostPort destination, boolean guarded, boolean thorough) {
    Map<String, Probed> asked = new LinkedHashMap<>();
    int reserve = FIRST_LOOK * relays.size();
    String owner = Caller.ownerOfRequest();
    synchronized (this) { // first probes take from the hour before any second one
      SecondLook second = secondLook(destination, relays.size(), reserve, owner);
      for (RegisteredRelay relay : inTurn(relays)) {
        Path path = new Path(relay.name(), destination, guarded);
        asked.put(relay.name(), ask(relay, path, second));
      }
    }
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    boolean whole = thorough || asked.values().stream().allMatch(one -> one.whole().isDone());
    for (RegisteredRelay relay : relays) {
      Probed one = Objects.requireNonNull(asked.get(relay.name()));
      outcomes.put(relay.name(), (whole ? one.whole() : one.first()).join());
    }
    return outcomes;
  }

  /**
   * Rotates the order, so that another relay is first each time if the budget is not enough for
   * all.
   */
  private List<RegisteredRelay> inTurn(Collection<RegisteredRelay> relays) {
    List<RegisteredRelay> order = new ArrayList<>(relays);
    Collections.rotate(order, -turn);
    turn = order.isEmpty() ? 0 : (turn + 1) % order.size();
    return order;
  }

  /**
   * Outcomes of earlier probes, of any age, without a new probe or a wait.
   *
   * @param guarded whether a proxy's client named the destination
   * @return outcomes of the relays that have ever probed
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

  /**
   * Records that a source has connected to the destination to measure.
   *
   * @param connections number that the source claims. At most those of a relay's probes are
   *     counted, and none that first probes need: a caller's claim must not use up the probes of
   *     all plans
   * @param relays number of relays that may probe
   */
  synchronized void made(HostPort destination, int connections, int relays) {
    int counted = Math.min(connections, MOST_CONNECTIONS);
    budget.made(Caller.ownerOfRequest(), destination, counted, FIRST_LOOK * relays);
  }

  /**
   * Limits of each second probe within a destination's hour.
   *
   * @param reserve connections to leave
   * @param owner see {@link DestinationBudget#take}
   */
  private record SecondLook(int connections, int reserve, @Nullable String owner) {}

  /**
   * The limits of second probes; equal for all relays, so that their order does not affect the
   * ranking.
   */
  private SecondLook secondLook(
      HostPort destination, int relays, int reserve, @Nullable String owner) {
    int left = budget.left(destination) - FIRST_LOOK * relays - reserve;
    int share = Math.max(0, left) / Math.max(1, relays);
    return new SecondLook(Math.min(MOST_CONNECTIONS - FIRST_LOOK, share), reserve, owner);
  }

  private synchronized Probed ask(RegisteredRelay relay, Path path, SecondLook second) {
    Probed before = paths.get(path);
    if (before != null && (!before.whole.isDone() || !time.passed(before.askedAt, KEPT))) {
      return before;
    }
    Looks looks = before == null ? new Looks(time.steady()) : before.looks;
    int connections = take(path, isKnown(looks) ? 1 : FIRST_LOOK, 0, second.owner());
    CompletableFuture<Outcome> first =
        CompletableFuture.supplyAsync(() -> look(relay, path, looks, connections), threads);
    CompletableFuture<Outcome> whole =
        first.thenApplyAsync(
            seen -> seen.failure() == null ? lookAgain(relay, path, looks, seen, second) : seen,
            threads);
    Probed asked =
        new Probed(
            looks, time.mark(), first, whole, before == null ? Optional.empty() : before.seen());
    paths.put(path, asked);
    return asked;
  }

  private Outcome look(RegisteredRelay relay, Path path, Looks looks, int connections) {
    try {
      ProbeReport report = connect(relay, path, connections);
      // The packets of a single connection may be lost.
      if (connections == 1 && report != null && report.connected() == 0) {
        ProbeReport more = connect(relay, path, take(path, FIRST_LOOK, 0, null));
        if (more == null && TIMED_OUT.equals(report.failure())) {
          return lastKnown(looks);
        }
        report = more == null ? report : more;
      }
      return report == null ? lastKnown(looks) : outcome(report, looks);
    } catch (ProblemException e) {
      return outcome(
          looks,
          String.valueOf(e.getMessage()),
          e.status() == TOO_MANY ? Obstacle.BUSY : Obstacle.NONE);
    } catch (RuntimeException e) {
      return outcome(looks, String.valueOf(e.getMessage()), Obstacle.NONE);
    }
  }

  /**
   * The second probe. Keeps the outcome of the first if the relay is too busy or does not answer.
   */
  private Outcome lookAgain(
      RegisteredRelay relay, Path path, Looks looks, Outcome before, SecondLook second) {
    if (isKnown(looks)) {
      return before;
    }
    try {
      ProbeReport report = connect(relay, path, take(path, second));
      return report == null ? before : outcome(report, looks);
    } catch (ProblemException e) {
      return e.status() == TOO_MANY
          ? before
          : outcome(looks, String.valueOf(e.getMessage()), Obstacle.NONE);
    } catch (RuntimeException e) {
      return before;
    }
  }

  private synchronized boolean isKnown(Looks looks) {
    return looks.reached != null && looks.window.counts(time.steady()).sent() >= MOST_CONNECTIONS;
  }

  private int take(Path path, SecondLook second) {
    return take(path, second.connections(), second.reserve(), second.owner());
  }

  private synchronized int take(Path path, int connections, int reserve, @Nullable String owner) {
    return budget.take(owner, path.destination(), connections, reserve);
  }

  /** The last outcome within the hour, for when no more connections may be opened. */
  private synchronized Outcome lastKnown(Looks looks) {
    Instant now = time.steady();
    Outcome reached = ofTheHour(looks.reached, now);
    return reached == null
        ? new Outcome(
            looks.window.counts(now),
            "as many connections as allowed were made this hour",
            Obstacle.EXHAUSTED)
        : reached;
  }

  private static @Nullable Outcome ofTheHour(@Nullable Outcome reached, Instant now) {
    return reached != null && reached.counts().updatedAt().isAfter(now.minus(LAST_KNOWN))
        ? reached
        : null;
  }

  /** Null if there is no connection to open. */
  private @Nullable ProbeReport connect(RegisteredRelay relay, Path path, int connections) {
    if (connections == 0) {
      return null;
    }
    ProbeRequest request =
        new ProbeRequest(
            path.destination().host(),
            path.destination().port(),
            connections,
            (int) PER_CONNECTION.toMillis(),
            path.guarded() ? true : null);
    try {
      return controls.of(relay).probe(request, PER_RELAY);
    } catch (ProblemException e) {
      // A relay that refuses has opened none; one that does not answer may have.
      giveBack(path, connections);
      throw e;
    }
  }

  private synchronized void giveBack(Path path, int connections) {
    budget.giveBack(path.destination(), connections);
  }

  private synchronized Outcome outcome(ProbeReport report, Looks looks) {
    Instant now = time.steady();
    if (report.connected() > report.attempts()) {
      return outcome(looks, "more connections than attempts were reported", Obstacle.NONE);
    }
    if (report.connected() == 0) {
      looks.reached = null;
      return outcome(
          looks,
          report.failure() == null ? "no connection" : report.failure(),
          Boolean.TRUE.equals(report.notAllowed()) ? Obstacle.NOT_ALLOWED : Obstacle.NONE);
    }
    looks.window.add(
        now,
        report.attempts(),
        Math.min(report.attempts(), report.late() + report.attempts() - report.connected()),
        report.minRttMillis(),
        report.attempts() == 1 ? null : report.medianRttMillis(),
        null);
    Outcome reached = new Outcome(looks.window.counts(now), null, Obstacle.NONE);
    Outcome known = ofTheHour(looks.reached, now);
    // The last probes of an hour have few connections; an outcome with more shows more.
    if (known == null || reached.counts().sent() >= known.counts().sent()) {
      looks.reached = reached;
    }
    return reached;
  }

  /**
   * An outcome without measurements: earlier ones do not count for a destination that is no longer
   * reached.
   */
  private synchronized Outcome outcome(Looks looks, String failure, Obstacle obstacle) {
    LinkWindow.Counts before = looks.window.counts(time.steady());
    return new Outcome(
        new LinkWindow.Counts(0, 0, null, null, null, before.updatedAt()), failure, obstacle);
  }
}
