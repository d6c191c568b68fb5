package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.planning.Planned;
import io.cascade.orchestrator.planning.Planner;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Leads chains around relays that are lost, for new streams: where the planner had chosen the
 * relays, it chooses again. Running streams of chains of several pipes follow, and chains of those
 * are led around relays that drain, too. The ingress stays, because applications know its address;
 * streams that run through relays that stand go on.
 */
@Component
class ChainRerouting {
  private static final int ATTEMPTS = 3;

  private final ChainBook book;
  private final Planner planner;
  private final ChainSetup setup;
  private final ChainRemoval removal;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final HopKeys hopKeys;
  private final Retries retries;
  private final PipeChoice pipeChoice;

  ChainRerouting(
      ChainBook book,
      Planner planner,
      ChainSetup setup,
      ChainRemoval removal,
      RelayCalls calls,
      RelayRegistry relays,
      HopKeys hopKeys,
      PipeChoice pipeChoice,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.planner = planner;
    this.setup = setup;
    this.removal = removal;
    this.calls = calls;
    this.relays = relays;
    this.hopKeys = hopKeys;
    this.pipeChoice = pipeChoice;
    this.retries = new Retries(time, jitter);
  }

  @EventListener
  void on(RelayFact.Lost fact) {
    for (Chain chain : book.through(fact.relay().name())) {
      retries.forget(chain.id());
      troubled(chain, fact.relay(), "");
    }
  }

  /** Begins with those chains whose turn it is. */
  void round() {
    if (relays.all().stream().allMatch(RegisteredRelay::isUp)) {
      return;
    }
    retries.retain(id -> book.live(id).isPresent());
    for (Chain chain : book.carrying()) {
      List<RegisteredRelay> gone = gone(chain);
      if (!gone.isEmpty() && retries.due(chain.id())) {
        if (chain.state() == ChainState.READY) {
          gone.forEach(relay -> troubled(chain, relay, ""));
        }
        if (mayMove(chain)) {
          calls.soon(() -> reroute(chain));
        }
      }
    }
  }

  /**
   * Relays that the chain is better led around: those that are lost, and where streams move from
   * one pipe to another those that drain.
   */
  private List<RegisteredRelay> gone(Chain chain) {
    RouteHops route = chain.installedRoute();
    return chain.relays().stream()
        .flatMap(name -> relays.find(name).stream())
        .filter(relay ->
            relay.isGone()
                || (relay.isDraining() && !route.isOnePipe() && !route.isJunction(relay.name())))
        .toList();
  }

  private boolean mayMove(Chain chain) {
    return waitsForNobody(chain.request()) && ingress(chain).isUp();
  }

  /** Whether the planner had the choice of relays that may be lost. */
  private static boolean waitsForNobody(ChainRequest request) {
    return ChainQuestion.via(request).isEmpty() || ChainQuestion.namesEnds(request);
  }

  private RegisteredRelay ingress(Chain chain) {
    return relays.known(chain.installedRoute().firstRelay());
  }

  private void troubled(Chain chain, RegisteredRelay lost, String soFar) {
    if (!lost.isGone()) {
      return; // One that drains serves the streams that it has.
    }
    String prospect;
    if (!waitsForNobody(chain.request())) {
      prospect = "; the chain's relays were named, so that it waits for it";
    } else if (lost.name().equals(chain.installedRoute().firstRelay())) {
      prospect = "; applications connect to it, so that the chain waits for it";
    } else {
      prospect = "; another route is looked for" + soFar;
    }
    book.trouble(
        chain,
        lost.name(),
        lost.name() + " is lost: silent since " + lost.lastSeenAt() + prospect,
        false);
  }

  private void reroute(Chain chain) {
    // Whoever holds it opens, repairs or closes; the next round looks again.
    if (!chain.work().tryLock()) {
      return;
    }
    try {
      chain.lookForRoute(true);
      List<RegisteredRelay> lost = gone(chain);
      if (chain.carries() && mayMove(chain) && !lost.isEmpty()) {
        around(chain, lost);
      }
    } finally {
      chain.lookForRoute(false);
      chain.work().unlock();
    }
  }

  private void around(Chain chain, List<RegisteredRelay> lost) {
    List<String> before = chain.relays();
    Set<String> culprits =
        lost.stream().map(RegisteredRelay::name).collect(Collectors.toCollection(TreeSet::new));
    List<String> failures = new ArrayList<>();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      ChainSetup.Outcome outcome;
      try {
        outcome = attempt(chain, culprits, attempt);
      } catch (Refusal refusal) {
        failures.add(refusal.reason());
        break;
      }
      if (outcome.complete()) {
        retries.forget(chain.id());
        takeOff(chain, before);
        if (chain.state() == ChainState.READY) {
          book.remark(chain, words(lost, chain)); // Nothing was wrong that could be well again.
        }
        book.rerouted(chain, words(lost, chain));
        return;
      }
      ChainSetup.Failure culprit = outcome.culprit();
      failures.add(culprit.relay() + ": " + culprit.words());
      String next = culprit.next();
      culprits.add(
          culprit.kind() == ProblemKind.NEXT_RELAY_UNREACHABLE && next != null
              ? next
              : culprit.relay());
    }
    retries.failed(chain.id());
    String soFar = "; so far: " + String.join("; then ", failures);
    lost.forEach(relay -> troubled(chain, relay, soFar));
    if (!chain.relays().equals(before)) {
      // Some may have taken their parts. What was tried last is wanted until there is better.
      for (String relay : chain.relays()) {
        book.trouble(chain, relay, relay + " must get its part of another route" + soFar, true);
      }
    }
  }

  /**
   * @throws Refusal when there is no other route
   */
  private ChainSetup.Outcome attempt(Chain chain, Set<String> culprits, int attempt) {
    RegisteredRelay ingress = ingress(chain);
    Source source =
        Source.builder()
            .relay(ingress.name())
            .congestionControl(ingress.registration().congestionControl())
            .build();
    Installation before = Objects.requireNonNull(chain.installation());
    PlanRequest question = ChainQuestion.of(chain.request(), source, culprits, relays.all());
    PipeChoice.Chosen chosen = chosen(chain, question, culprits, before);
    Plan plan = Objects.requireNonNull(chosen.plan());
    boolean tls =
        HopProtection.tls(
            HopProtection.asked(chain.request()),
            chosen.relays().relays().stream().map(relays::known).toList());
    Installation installation =
        before.around(chosen.relays().inPlacesOf(before.route()), tls, hopKeys);
    book.reroute(chain, plan, installation);
    ChainSetup.Outcome outcome = setup.install(chain, installation, SetupMode.PARALLEL, attempt);
    chain.report(outcome.report());
    return outcome;
  }

  /** Pipes keep their ends where streams can follow. */
  private PipeChoice.Chosen chosen(
      Chain chain, PlanRequest question, Set<String> culprits, Installation before) {
    ChainRequest request = chain.request();
    List<String> ends = PipeChoice.ends(before.route());
    if (request.routes() != null && Collections.disjoint(culprits, ends)) {
      return pipeChoice.of(request, question, ends, null);
    }
    Planned planned = planner.planFrom(before.route().firstRelay(), question, before.proxied());
    if (planned.relays().isEmpty()) {
      throw new Refusal(ProblemKind.NO_ROUTE, planned.words());
    }
    return pipeChoice.of(request, question, planned.relays(), planned.document());
  }

  /** Relays that stand let their streams finish; the others are seen to when they are back. */
  private void takeOff(Chain chain, List<String> before) {
    List<String> obsolete =
        before.stream()
            .filter(name -> !chain.relays().contains(name))
            .filter(name -> relays.find(name).filter(relay -> !relay.isGone()).isPresent())
            .toList();
    List<String> _ = removal.remove(chain.id(), obsolete, false);
  }

  private static String words(List<RegisteredRelay> lost, Chain chain) {
    return "planned again without "
        + lost.stream()
            .map(relay -> relay.name() + (relay.isGone() ? ", lost" : ", draining"))
            .collect(Collectors.joining(", "))
        + ": new streams go via "
        + String.join(", ", chain.relays())
        + withoutTheirHop(chain);
  }

  private static String withoutTheirHop(Chain chain) {
    List<Integer> hops = HopOverrides.without(chain.request(), chain.installedRoute());
    return hops.isEmpty()
        ? ""
        : "; left out, since this route is shorter: options of hop "
            + hops.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
