package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.chains.LastingGain.Promise;
import io.cascade.orchestrator.planning.PipePlanner;
import io.cascade.orchestrator.planning.PlannedPipes;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Moves the pipes of chains with planned routes to much better routes, once these have been better
 * for long enough ({@link LastingGain}). Running streams get the new pipes before they leave the
 * old ones; the relays at the ends of the pipes stay.
 */
@Component
class BetterPipes implements UpkeepRule, ChainMemory {
  /** Heartbeats between two checks of a chain; each heartbeat brings new measurements of relays. */
  private static final int LOOK_HEARTBEATS = 5;

  /** Heartbeats for which a gain has to last. */
  private static final int LASTING_HEARTBEATS = 30;

  private final ChainBook book;
  private final PipePlanner planner;
  private final RouteChange change;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final Timekeeper time;
  private final Duration between;
  private final Duration lasting;
  private final Map<UUID, LastingGain> gains = new ConcurrentHashMap<>();

  /**
   * Set while a thread makes plans. Planning takes processor time, so one thread does it for all
   * chains.
   */
  private final AtomicBoolean looking = new AtomicBoolean();

  private long lookedAt;

  BetterPipes(
      ChainBook book,
      PipePlanner planner,
      RouteChange change,
      RelayCalls calls,
      RelayRegistry relays,
      HeartbeatIntervals heartbeats,
      Timekeeper time) {
    this.book = book;
    this.planner = planner;
    this.change = change;
    this.calls = calls;
    this.relays = relays;
    this.time = time;
    this.between = heartbeats.interval().multipliedBy(LOOK_HEARTBEATS);
    this.lasting = heartbeats.interval().multipliedBy(LASTING_HEARTBEATS);
    this.lookedAt = time.mark();
  }

  /** Starts a check of all chains with planned pipes, one after the other, when it is due. */
  @Override
  public void round() {
    if (time.passed(lookedAt, between) && looking.compareAndSet(false, true)) {
      lookedAt = time.mark();
      calls.soon(this::lookAtAll);
    }
  }

  private void lookAtAll() {
    try {
      lookAtEach();
    } finally {
      looking.set(false);
    }
  }

  private void lookAtEach() {
    for (Chain chain : book.carrying()) {
      if (isPlannedAndWell(chain)) {
        look(chain);
      } else {
        gains.remove(chain.id());
      }
    }
  }

  @Override
  public void retain(Predicate<UUID> live) {
    gains.keySet().removeIf(live.negate());
  }

  private boolean isPlannedAndWell(Chain chain) {
    return chain.request().routes() != null
        && chain.state() == ChainState.READY
        && chain.missing().isEmpty()
        && chain.relays().stream()
            .allMatch(name -> relays.find(name).filter(this::serves).isPresent());
  }

  private boolean serves(RegisteredRelay relay) {
    return relay.isUp() && !relay.isDraining();
  }

  /** Checks a chain; meanwhile its promised capacity counts as available to it. */
  private void look(Chain chain) {
    chain.ifFree(() ->
        chain.whileLookingForRoute(() -> {
          Installation before = chain.installation();
          if (before != null && chain.carries() && isPlannedAndWell(chain)) {
            try {
              look(chain, before);
            } catch (Refusal e) {
              gains.remove(chain.id()); // no route is known at present; the installed ones stay
            }
          }
        }));
  }

  private void look(Chain chain, Installation before) {
    RouteHops route = before.route();
    List<List<String>> present = RelayPipes.of(route);
    PlannedPipes best = plan(chain, route, Set.of());
    Set<String> others =
        relays.all().stream().map(RegisteredRelay::name).collect(Collectors.toSet());
    present.forEach(others::removeAll);
    Promise now = new Promise(present, plan(chain, route, others).expectedBitsPerSecond());
    Promise then = new Promise(best.pipes(), best.expectedBitsPerSecond());
    LastingGain gain = gains.computeIfAbsent(chain.id(), _ -> new LastingGain(lasting));
    if (gain.lasts(time.steady(), now, then)) {
      gains.remove(chain.id());
      move(chain, best, words(now, then));
    }
  }

  /** The routes with the highest rate between the ends of the chain's pipes. */
  private PlannedPipes plan(Chain chain, RouteHops route, Set<String> avoided) {
    RegisteredRelay first = relays.known(route.firstRelay());
    Source source =
        Source.builder()
            .relay(first.name())
            .congestionControl(first.registration().congestionControl())
            .build();
    PlanRequest question = ChainQuestion.of(chain.request(), source, avoided, relays.all());
    int most = Objects.requireNonNull(chain.request().routes());
    return planner.plan(route.firstRelay(), route.lastRelay(), most, question, null);
  }

  private void move(Chain chain, PlannedPipes best, String words) {
    List<String> before = chain.relays();
    RelayPipes pipes = new RelayPipes(best.pipes(), List.of(), true);
    ChainSetup.Outcome outcome = change.install(chain, pipes, best.document(), 1);
    if (!outcome.complete()) {
      String relay = outcome.culprit().relay();
      book.trouble(chain, relay, relay + " must get its part of a better route", true);
      return;
    }
    change.takeOff(chain, before);
    book.remark(chain, words);
    book.rerouted(chain, words);
  }

  private static String words(Promise now, Promise then) {
    return "its streams move to better pipes, predicted to carry %.1f times as much: %s"
        .formatted(
            then.bitsPerSecond() / now.bitsPerSecond(),
            then.pipes().stream()
                .map(pipe -> String.join(", ", pipe))
                .collect(Collectors.joining(" | ")));
  }
}
