package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.orchestrator.RouteWay;
import io.cascade.contract.PlanQuestion;
import io.cascade.orchestrator.chains.LastingGain.Promise;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.planning.Planned;
import io.cascade.orchestrator.planning.Planner;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Tells relays how to route the streams of their SOCKS5 and CONNECT clients, for each destination:
 * directly, or through a chain that begins at the relay. Such a chain is opened on a relay's
 * question if it pays, and closed when relays no longer ask for it and no stream uses it.
 *
 * <p>If the plan is undecided the relay tries the chain against the direct way. It remembers the
 * result and sends it with its questions; while that verdict is valid it is followed, and no plan
 * is made.
 *
 * <p>The size of a stream is unknown, so streams are planned as unlimited.
 */
@Component
class ChainRoutes {
  /**
   * Validity of an answer. A relay asks again after it, which also shows that the chain is in use.
   */
  static final Duration VALID = Duration.ofSeconds(60);

  /**
   * Time until a plan is made again: a plan costs connections to the destination from every relay.
   * The first plans for the direct path are valid for less ({@link DirectVerdicts}).
   */
  static final Duration PLANNED = Duration.ofMinutes(10);

  /** Time until the next attempt after an obstacle that may be transient. */
  static final Duration RETRY = Duration.ofSeconds(10);

  /** Time for which a chain stays open after the last question for it. */
  static final Duration IDLE = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(ChainRoutes.class);
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** Time between two rounds while there are no such chains. */
  private static final Duration ROUND_WITHOUT_CHAINS = Duration.ofSeconds(10);

  private static final int MOST_CHAINS = 512;
  private static final int MOST_PLANS = 4;

  /** Most chains that relays try at a time. */
  private static final int MOST_UNDECIDED = 64;

  private final ChainBook book;
  private final ChainOpening opening;
  private final ChainClosing closing;
  private final ChainTraffic traffic;
  private final Planner planner;
  private final RelayRegistry relays;
  private final EventLog events;
  private final Timekeeper time;
  private final Semaphore plans = new Semaphore(MOST_PLANS);
  private final Map<Way, CompletableFuture<RoutingDecision>> asked = new ConcurrentHashMap<>();
  private final Map<Way, Kept> kept = new ConcurrentHashMap<>();
  private final DirectVerdicts<Way> direct = new DirectVerdicts<>(PLANNED);
  private @Nullable PeriodicTask task;

  private record Way(String relay, String destination) {}

  /**
   * A chain that is kept open; times are steady.
   *
   * @param undecided whether the plan was undecided, so that the relay tries the chain
   * @param gain gain of other routes over the chain's
   */
  private record Kept(
      Chain chain, boolean undecided, LastingGain gain, Instant plannedAt, Instant usedAt) {
    static Kept first(Chain chain, boolean undecided, Instant now) {
      return new Kept(chain, undecided, new LastingGain(PLANNED), now, now);
    }

    Kept used(boolean isUndecided, Instant now) {
      return new Kept(chain, isUndecided, gain, plannedAt, now);
    }

    Kept planned(boolean isUndecided, Instant now) {
      return new Kept(chain, isUndecided, gain, now, now);
    }
  }

  /**
   * Decision for streams to a destination.
   *
   * @param chain null for the direct way
   * @param trial whether the relay is to try the chain
   */
  record RoutingDecision(@Nullable UUID chain, boolean trial, Duration valid, String why) {
    static RoutingDecision directly(Duration valid, String why) {
      return new RoutingDecision(null, false, valid, why);
    }
  }

  ChainRoutes(
      ChainBook book,
      ChainOpening opening,
      ChainClosing closing,
      ChainTraffic traffic,
      Planner planner,
      RelayRegistry relays,
      EventLog events,
      Timekeeper time) {
    this.book = book;
    this.opening = opening;
    this.closing = closing;
    this.traffic = traffic;
    this.planner = planner;
    this.relays = relays;
    this.events = events;
    this.time = time;
  }

  /** Takes over the chains that an earlier process opened. */
  @EventListener(ApplicationReadyEvent.class)
  void start() {
    Instant now = time.steady();
    for (Chain chain : book.carrying()) {
      Installation installation = chain.installation();
      if (installation != null && installation.proxied()) {
        kept.put(
            new Way(installation.route().firstRelay(), chain.request().destination()),
            Kept.first(chain, false, now));
      }
    }
    task =
        PeriodicTask.every(
            () -> kept.isEmpty() ? ROUND_WITHOUT_CHAINS : ROUND, "routes", this::closeIdle);
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
  }

  /**
   * Blocks until the decision is made and its chain, if any, is ready.
   *
   * @param trial the relay's result for a chain to this destination; null if it has none
   * @throws Refusal if there is no such relay, or the destination is invalid
   */
  RoutingDecision answer(String relay, String destination, @Nullable RouteTrial trial) {
    RegisteredRelay first = relays.known(relay);
    Way way = new Way(relay, Destinations.parse(destination).toString());
    CompletableFuture<RoutingDecision> mine = new CompletableFuture<>();
    CompletableFuture<RoutingDecision> theirs = asked.putIfAbsent(way, mine);
    if (theirs != null) {
      try {
        return theirs.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof Refusal refusal ? refusal : e;
      }
    }
    try {
      RoutingDecision answer = decide(way, first, trial);
      mine.complete(answer);
      return answer;
    } catch (RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      asked.remove(way, mine);
    }
  }

  private RoutingDecision decide(Way way, RegisteredRelay first, @Nullable RouteTrial trial) {
    Instant now = time.steady();
    Kept before = kept.get(way);
    if (before != null && before.chain().ended()) {
      kept.remove(way);
      before = null;
    }
    boolean ofThisChain =
        before != null && trial != null && trial.chainId().equals(before.chain().id());
    if (before != null && trial != null && ofThisChain) {
      note(way, before.chain(), trial);
    }
    RouteWay verdict = trial == null ? null : trial.verdict();
    if (trial != null && verdict == RouteWay.DIRECT) {
      if (before != null) {
        kept.remove(way);
        closing.close(before.chain().id(), false); // running streams finish
      }
      return RoutingDecision.directly(validityOf(trial), trial.summary());
    }
    boolean proven = ofThisChain && verdict == RouteWay.CHAIN;
    if (before != null && (proven || now.isBefore(before.plannedAt().plus(PLANNED)))) {
      // A trial that began before this process started continues.
      boolean running = ofThisChain && verdict == null;
      Kept used = before.used(!proven && (before.undecided() || running), now);
      kept.put(way, used);
      return through(used);
    }
    if (!first.isUp()) {
      return RoutingDecision.directly(RETRY, way.relay() + " is " + first.status());
    }
    if (before == null && kept.size() >= MOST_CHAINS) {
      return RoutingDecision.directly(
          RETRY, "there are " + MOST_CHAINS + " chains for proxies already");
    }
    if (!plans.tryAcquire()) {
      return RoutingDecision.directly(RETRY, "plans for other destinations are under way");
    }
    try {
      return plan(way, before);
    } catch (Refusal refusal) {
      LOG.debug("{} to {} directly: {}", way.relay(), way.destination(), refusal.reason());
      return RoutingDecision.directly(RETRY, refusal.reason());
    } finally {
      plans.release();
    }
  }

  private static Duration validityOf(RouteTrial trial) {
    int seconds = Math.max(1, Objects.requireNonNullElse(trial.validSeconds(), 0));
    Duration valid = Duration.ofSeconds(seconds);
    return valid.compareTo(PLANNED) < 0 ? valid : PLANNED;
  }

  /**
   * Stores the relay's result. Relays repeat results, so each verdict of a trial is published once.
   */
  private void note(Way way, Chain chain, RouteTrial trial) {
    RouteTrial before = chain.trial();
    chain.tried(trial);
    if (trial.verdict() != null && (before == null || before.verdict() != trial.verdict())) {
      events.tried(
          way.relay(),
          chain.id(),
          way.relay() + " to " + way.destination() + ": " + trial.summary());
    }
  }

  private RoutingDecision plan(Way way, @Nullable Kept before) {
    // If the plan is undecided, the relay tries some streams on a chain.
    PlanRequest question =
        PlanQuestion.fromRelay(way.relay(), way.destination()).toBuilder().trial(true).build();
    Planned planned = planner.planToOpenFrom(way.relay(), question, true);
    if (before != null && planned.untried().contains(before.chain().relays().getLast())) {
      // The chain's last stretch could not be measured; the next question plans again.
      Kept again = before.used(before.undecided(), time.steady());
      kept.put(way, again);
      return through(again);
    }
    List<String> route = ProxyRoute.of(planned.document(), planned.relays());
    boolean possible = route.size() > 1;
    boolean undecided =
        possible && planned.document().decision() == Decision.UNDECIDED && mayTry(before);
    Instant now = time.steady();
    if (before != null
        && (undecided || (possible && planned.pays()))
        && stays(before, planned, route, now)) {
      Kept again = before.planned(undecided, now);
      kept.put(way, again);
      return through(again);
    }
    if (before != null) {
      kept.remove(way);
      closing.close(before.chain().id(), false); // running streams finish
    }
    if (!possible || !(undecided || planned.pays())) {
      // Missing measurements and unreachable relays may be transient, so such a result is valid for
      // less.
      Decision decision = planned.document().decision();
      boolean sure =
          (decision == Decision.DIRECT || decision == Decision.EQUAL)
              && !planned.relays().isEmpty();
      return RoutingDecision.directly(
          sure ? direct.confirmed(way) : VALID, planned.document().summary());
    }
    direct.revoked(way);
    Chain chain =
        opening.openForProxy(
            ChainRequest.builder()
                .destination(way.destination())
                .via(route)
                .source(question.source())
                .question(question)
                .build(),
            planned.document());
    Kept opened = Kept.first(chain, undecided, now);
    kept.put(way, opened);
    if (undecided && chain.state() == ChainState.READY) {
      events.tried(
          way.relay(),
          chain.id(),
          way.relay()
              + " to "
              + way.destination()
              + ": trying "
              + String.join(", ", chain.relays())
              + " with some of the streams, since the plan is undecided");
    }
    return through(opened);
  }

  /**
   * Whether a chain stays, on the planned route or on another one. Predictions vary, and a change
   * of routes makes streams start anew; so another route has to promise much more in two
   * consecutive plans ({@link LastingGain}).
   */
  private static boolean stays(Kept before, Planned planned, List<String> route, Instant now) {
    List<String> present = before.chain().relays();
    boolean muchBetter =
        before
            .gain()
            .lasts(
                now,
                Promise.of(planned.document(), present),
                Promise.of(planned.document(), route));
    return present.equals(route) || (before.chain().state() == ChainState.READY && !muchBetter);
  }

  private boolean mayTry(@Nullable Kept before) {
    return (before != null && before.undecided())
        || kept.values().stream().filter(Kept::undecided).count() < MOST_UNDECIDED;
  }

  private static RoutingDecision through(Kept kept) {
    Chain chain = kept.chain();
    return chain.state() == ChainState.READY
        ? new RoutingDecision(
            chain.id(), kept.undecided(), VALID, "through " + String.join(", ", chain.relays()))
        : RoutingDecision.directly(RETRY, "chain " + chain.id() + " is " + chain.state());
  }

  private void closeIdle() {
    Instant now = time.steady();
    kept.forEach((way, chain) -> {
      if (chain.chain().ended()) {
        kept.remove(way, chain);
      } else if (now.isAfter(chain.usedAt().plus(IDLE)) && !asked.containsKey(way)) {
        if (traffic.totals(chain.chain()).stream().mapToLong(RelayTotals::running).sum() > 0) {
          kept.replace(way, chain, chain.used(chain.undecided(), now));
        } else if (kept.remove(way, chain)) {
          closing.close(chain.chain().id(), false);
        }
      }
    });
  }
}
