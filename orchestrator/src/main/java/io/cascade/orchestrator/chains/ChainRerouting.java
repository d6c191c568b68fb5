package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.planning.Planned;
import io.cascade.orchestrator.planning.Planner;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
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
 * Routes chains around lost relays, for new streams: if the planner had chosen the relays, it
 * chooses again. Running streams follow in chains with several pipes, which are also routed around
 * draining relays. The ingress relay stays, because applications know its address. Streams whose
 * relays are all alive continue.
 */
@Component
class ChainRerouting extends ChainUpkeepRule {
  private static final int ATTEMPTS = 3;

  private final Planner planner;
  private final RouteChange change;
  private final RelayRegistry relays;
  private final PipeChoice pipeChoice;

  ChainRerouting(
      ChainBook book,
      Planner planner,
      RouteChange change,
      RelayCalls calls,
      RelayRegistry relays,
      PipeChoice pipeChoice,
      Retries retries) {
    super(book, calls, retries);
    this.planner = planner;
    this.change = change;
    this.relays = relays;
    this.pipeChoice = pipeChoice;
  }

  @EventListener
  void on(RelayFact.Lost fact) {
    for (Chain chain : book.through(fact.relay().name())) {
      retries.forget(chain.id());
      troubled(chain, fact.relay(), "");
    }
  }

  @Override
  public void round() {
    if (!relays.all().stream().allMatch(RegisteredRelay::isUp)) {
      super.round();
    }
  }

  @Override
  void look(Chain chain) {
    if (chain.state() == ChainState.READY) {
      gone(chain).forEach(relay -> troubled(chain, relay, ""));
    }
  }

  @Override
  boolean needs(Chain chain) {
    return chain.carries() && !gone(chain).isEmpty() && mayMove(chain);
  }

  /**
   * Relays to route around: lost ones, and in chains whose streams move between pipes also draining
   * ones.
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

  /** Whether the planner chose the relays, so that the chain need not wait for a lost one. */
  private static boolean waitsForNobody(ChainRequest request) {
    return ChainQuestion.via(request).isEmpty() || ChainQuestion.namesEnds(request);
  }

  private RegisteredRelay ingress(Chain chain) {
    return relays.known(chain.installedRoute().firstRelay());
  }

  private void troubled(Chain chain, RegisteredRelay lost, String soFar) {
    if (!lost.isGone()) {
      return; // a draining relay serves its running streams
    }
    String prospect;
    if (!waitsForNobody(chain.request())) {
      prospect = "; the chain's relays were named, so the chain waits for this relay";
    } else if (lost.name().equals(chain.installedRoute().firstRelay())) {
      prospect = "; applications connect to this relay, so the chain waits for it";
    } else {
      prospect = "; looking for another route" + soFar;
    }
    book.trouble(
        chain,
        lost.name(),
        lost.name() + " is lost: silent since " + lost.lastSeenAt() + prospect,
        false);
  }

  @Override
  void keep(Chain chain) {
    chain.whileLookingForRoute(() -> around(chain, gone(chain)));
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
        change.takeOff(chain, before);
        if (chain.state() == ChainState.READY) {
          book.remark(chain, words(lost, chain)); // the chain stayed READY
        }
        book.rerouted(chain, words(lost, chain));
        return;
      }
      ChainSetup.Failure culprit = outcome.culprit();
      failures.add(culprit.relay() + ": " + culprit.words());
      culprits.add(culprit.blamed());
    }
    retries.failed(chain.id());
    String soFar = "; so far: " + String.join("; then ", failures);
    lost.forEach(relay -> troubled(chain, relay, soFar));
    if (!chain.relays().equals(before)) {
      // Some relays may have installed their parts. The last attempt stays the chain's route until
      // another one succeeds.
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
    return change.install(chain, chosen.relays(), Objects.requireNonNull(chosen.plan()), attempt);
  }

  /**
   * Chooses relays. The ends of the pipes stay if none of them is lost, so that streams can follow.
   */
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
