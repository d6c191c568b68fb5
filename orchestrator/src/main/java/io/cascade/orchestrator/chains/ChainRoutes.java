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
 * Tells relays how the streams of their SOCKS5 and CONNECT clients go on, one destination at a
 * time: directly, or through a chain that begins at the relay. Such chains are opened when they are
 * asked for, where they pay, and closed when they are asked for no more and nothing runs through
 * them.
 *
 * <p>Where the plan is undecided the relay tries such a chain against the direct way. It remembers
 * what that found out and says so with its questions; while its verdict is valid, that is followed
 * and nothing is planned.
 *
 * <p>Nothing is known of how much a stream will carry, so it is planned as one without an end.
 */
@Component
class ChainRoutes {
  /** Time until a chain's use is looked at again: also the proof that it is used. */
  static final Duration VALID = Duration.ofSeconds(60);

  /**
   * Time until a plan is made anew: it costs connections to the destination from every relay. The
   * first plans for the direct path are valid for less ({@link DirectVerdicts}).
   */
  static final Duration PLANNED = Duration.ofMinutes(10);

  /** Time until a new attempt after something that may be over soon. */
  static final Duration RETRY = Duration.ofSeconds(10);

  /** Time that a chain stays open after it was last asked for. */
  static final Duration IDLE = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(ChainRoutes.class);
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** Time between two rounds while it keeps no chains. */
  private static final Duration ROUND_WITHOUT_CHAINS = Duration.ofSeconds(10);

  private static final int MOST_CHAINS = 512;
  private static final int MOST_PLANS = 4;

  /** Chains at a time that relays try. */
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
   * A chain that is kept; in steady time.
   *
   * @param undecided whether the plan was, so that the relay tries the chain
   * @param gain of other routes over the chain's
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
   * @param chain null for directly
   * @param trial whether the chain is to be tried
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

  /** Keeps and closes the chains that an earlier process opened. */
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
   * Blocks until it is known and, where there is to be a chain, until that is ready.
   *
   * @param trial what the relay found out about a chain to there; null where nothing
   * @throws Refusal where there is no such relay, or the destination makes no sense
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
        closing.close(before.chain().id(), false); // its streams finish
      }
      return RoutingDecision.directly(validityOf(trial), trial.summary());
    }
    boolean proven = ofThisChain && verdict == RouteWay.CHAIN;
    if (before != null && (proven || now.isBefore(before.plannedAt().plus(PLANNED)))) {
      // A trial that runs since before this process did goes on.
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
      return RoutingDecision.directly(RETRY, "other destinations are being planned for");
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

  /** The relay repeats itself; told are a trial's verdicts, each once. */
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
    // Where the plan is undecided, the relay tries some streams on a chain.
    PlanRequest question =
        PlanQuestion.fromRelay(way.relay(), way.destination()).toBuilder().trial(true).build();
    Planned planned = planner.planToOpenFrom(way.relay(), question, true);
    if (before != null && planned.untried().contains(before.chain().relays().getLast())) {
      // Nothing was learned of the chain's last stretch, and the next question plans again.
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
      closing.close(before.chain().id(), false); // its streams finish
    }
    if (!possible || !(undecided || planned.pays())) {
      // What was not measured well enough, or was away, may be otherwise soon.
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
              + " with some of the streams, for the plan is undecided");
    }
    return through(opened);
  }

  /**
   * Whether a chain stays, on the planned route or on another one: predictions go up and down, and
   * each change of routes costs streams a new beginning. Another one has to promise much more at
   * two plans in a row ({@link LastingGain}).
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
