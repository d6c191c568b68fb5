package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.contract.RouteHops;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A chain: its request, its installation and its state.
 *
 * <p>Its fields are guarded by its own monitor, which is never held during a call of the database.
 * A change of state is stored and published while {@link #entry} is held, so that changes are
 * serialised. Opening, repairing and closing take long and hold {@link #work} as well.
 */
final class Chain {
  static final int DEFAULT_LEASE_SECONDS = 60;

  private final UUID id;
  private final ChainRequest request;
  private final @Nullable String owner;
  private final Instant createdAt;
  private final ReentrantLock work = new ReentrantLock(true);
  private final ReentrantLock entry = new ReentrantLock(true);

  private ChainState state;
  private @Nullable String reason;
  private Instant updatedAt;
  private @Nullable Plan plan;
  private @Nullable Installation installation;
  private @Nullable SetupReport setup;

  /**
   * Volatile, to be read without the lock: every check of a relay asks all chains whether they use
   * it.
   */
  private volatile List<String> relays;

  /** Faults, by relay. */
  private final Map<String, String> troubles = new TreeMap<>();

  /** Relays whose parts have to be installed again. */
  private final Set<String> missing = new TreeSet<>();

  private long repairedAt = Long.MIN_VALUE;
  private boolean looksForRoute;
  private @Nullable RouteTrial trial;

  /**
   * @param owner the caller that opened it; null if the caller's credential is shared
   */
  Chain(UUID id, ChainRequest request, @Nullable String owner, Instant now) {
    this(id, request, owner, ChainState.PLANNING, null, null, null, null, now, now);
  }

  /** Restores a chain from the store. */
  Chain(
      UUID id,
      ChainRequest request,
      @Nullable String owner,
      ChainState state,
      @Nullable String reason,
      @Nullable Plan plan,
      @Nullable Installation installation,
      @Nullable SetupReport setup,
      Instant createdAt,
      Instant updatedAt) {
    this.id = id;
    this.request = request;
    this.owner = owner;
    this.state = state;
    this.reason = reason;
    this.plan = plan;
    this.setup = setup;
    this.installation = installation;
    this.relays =
        installation == null ? RelayPipes.namedRelays(request) : installation.route().relays();
    this.createdAt = createdAt;
    this.updatedAt = updatedAt;
  }

  /** The state, its reason and the time of the change. */
  record Status(ChainState state, @Nullable String reason, Instant since) {
    boolean ended() {
      return ChainLifecycle.ended(state);
    }
  }

  /**
   * Returns the status after an event.
   *
   * @throws IllegalStateException when the event is not allowed in the present state
   */
  synchronized Status after(ChainEvent event, @Nullable String why, Instant now) {
    ChainState next =
        ChainLifecycle.after(state, event)
            .orElseThrow(
                () -> new IllegalStateException("chain " + id + ": " + event + " when " + state));
    return new Status(next, why, now);
  }

  /** Sets the status, once it is stored. The only method that changes the state. */
  synchronized void stand(Status now) {
    state = now.state();
    reason = now.reason();
    updatedAt = now.since();
  }

  synchronized Status status() {
    return new Status(state, reason, updatedAt);
  }

  synchronized void choose(@Nullable Plan chosen, Installation on) {
    plan = chosen;
    install(on);
    setup = null;
  }

  /** Sets another route; troubles remain until its relays have their parts. */
  synchronized void reroute(Plan chosen, Installation on) {
    plan = chosen;
    install(on);
  }

  /**
   * Sets whether another route is being chosen. Meanwhile the capacity promised to this chain
   * counts as free for the choice.
   */
  synchronized void lookForRoute(boolean looks) {
    looksForRoute = looks;
  }

  /** Runs a task that chooses another route. */
  void whileLookingForRoute(Runnable task) {
    lookForRoute(true);
    try {
      task.run();
    } finally {
      lookForRoute(false);
    }
  }

  synchronized boolean looksForRoute() {
    return looksForRoute;
  }

  /** Sets what the first relay found when it tried the route; not stored. */
  synchronized void tried(RouteTrial found) {
    trial = found;
  }

  synchronized @Nullable RouteTrial trial() {
    return trial;
  }

  synchronized void report(SetupReport report) {
    setup = report;
  }

  synchronized void install(Installation on) {
    installation = on;
    relays = on.route().relays();
  }

  /**
   * Records a trouble of a relay.
   *
   * @param lostItsPart whether the relay's part has to be installed again
   * @return whether this changed anything
   */
  synchronized boolean trouble(String relay, String words, boolean lostItsPart) {
    boolean changed = !words.equals(troubles.put(relay, words));
    return (lostItsPart && missing.add(relay)) || changed;
  }

  /**
   * Records that the relay is reachable and has its part.
   *
   * @return whether this changed anything
   */
  synchronized boolean well(String relay) {
    return !missing.contains(relay) && troubles.remove(relay) != null;
  }

  synchronized void repaired(Collection<String> relays, long mark) {
    missing.removeAll(relays);
    troubles.keySet().removeAll(relays);
    // Discards relays that are no longer on the route.
    missing.retainAll(relays());
    troubles.keySet().retainAll(relays());
    repairedAt = mark;
  }

  synchronized boolean repairedSince(long mark) {
    return repairedAt != Long.MIN_VALUE && repairedAt - mark > 0;
  }

  synchronized boolean isTroubled() {
    return !troubles.isEmpty();
  }

  /** Whether all troubles have ended while the state is still DEGRADED. */
  synchronized boolean isWellAgain() {
    return state == ChainState.DEGRADED && troubles.isEmpty();
  }

  synchronized String troubles() {
    return String.join("; ", troubles.values());
  }

  synchronized Set<String> missing() {
    return Set.copyOf(missing);
  }

  /**
   * Runs a task that works on the chain, unless another task is working on it, such as one that
   * opens, repairs or closes it.
   */
  void ifFree(Runnable task) {
    if (!work.tryLock()) {
      return;
    }
    try {
      task.run();
    } finally {
      work.unlock();
    }
  }

  ReentrantLock work() {
    return work;
  }

  ReentrantLock entry() {
    return entry;
  }

  UUID id() {
    return id;
  }

  ChainRequest request() {
    return request;
  }

  @Nullable String owner() {
    return owner;
  }

  Instant createdAt() {
    return createdAt;
  }

  int leaseSeconds() {
    return Objects.requireNonNullElse(request.leaseSeconds(), DEFAULT_LEASE_SECONDS);
  }

  synchronized ChainState state() {
    return state;
  }

  boolean carries() {
    return ChainLifecycle.carries(state());
  }

  boolean ended() {
    return ChainLifecycle.ended(state());
  }

  synchronized @Nullable String reason() {
    return reason;
  }

  synchronized Instant updatedAt() {
    return updatedAt;
  }

  synchronized @Nullable Plan plan() {
    return plan;
  }

  synchronized @Nullable Installation installation() {
    return installation;
  }

  /** Returns the revision for the next installation. */
  synchronized long nextRevision() {
    return installation == null ? 1 : installation.revision() + 1;
  }

  synchronized @Nullable SetupReport setup() {
    return setup;
  }

  /** The route that is installed; null before one was chosen. */
  synchronized @Nullable RouteHops route() {
    return installation == null ? null : installation.route();
  }

  /**
   * The route of a chain that was installed.
   *
   * @throws IllegalStateException if no route was chosen yet
   */
  RouteHops installedRoute() {
    RouteHops installed = route();
    if (installed == null) {
      throw new IllegalStateException("chain " + id + " has no route when " + state());
    }
    return installed;
  }

  /**
   * The relays of the route, without duplicates; without a route, the relays that the request
   * names.
   */
  List<String> relays() {
    return relays;
  }
}
