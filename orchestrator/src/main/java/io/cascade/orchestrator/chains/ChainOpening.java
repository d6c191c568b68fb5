package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.orchestrator.planning.Planned;
import io.cascade.orchestrator.planning.Planner;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Opens chains: plans, installs every part, and moves the chain to READY. If one relay refuses, all
 * parts are removed; if the planner chose the route, it plans again without that relay.
 */
@Component
class ChainOpening {
  static final int ATTEMPTS = 3;

  private final ChainBook book;
  private final Planner planner;
  private final ChainSetup setup;
  private final ChainRemoval removal;
  private final IdempotencyKeys keys;
  private final RelayRegistry relays;
  private final HopKeys hopKeys;
  private final ChainExpiry expiry;
  private final PipeChoice pipeChoice;
  private final Map<UUID, CompletableFuture<Chain>> running = new ConcurrentHashMap<>();

  /** Owners of chains that are being opened, which count towards the owner's quota. */
  private final Map<UUID, String> places = new HashMap<>();

  ChainOpening(
      ChainBook book,
      Planner planner,
      ChainSetup setup,
      ChainRemoval removal,
      IdempotencyKeys keys,
      RelayRegistry relays,
      HopKeys hopKeys,
      ChainExpiry expiry,
      PipeChoice pipeChoice) {
    this.pipeChoice = pipeChoice;
    this.book = book;
    this.planner = planner;
    this.setup = setup;
    this.removal = removal;
    this.keys = keys;
    this.relays = relays;
    this.hopKeys = hopKeys;
    this.expiry = expiry;
  }

  /**
   * An open chain.
   *
   * @param made false if an earlier call with the same key created it
   */
  record Opened(Chain chain, boolean made) {}

  /**
   * @param asked as the caller sent it: a retry may come from another address
   * @param client the caller's address
   * @param owner the caller that opens it; null if the caller's credential is shared
   * @param mostOpen number of chains that have not ended which the owner may have
   * @param callersKey the caller's Idempotency-Key
   * @throws Refusal when no chain was opened
   */
  Opened open(
      ChainRequest asked,
      String client,
      @Nullable String owner,
      int mostOpen,
      @Nullable String callersKey) {
    String key = callersKey == null ? null : IdempotencyKeys.of(owner, callersKey);
    ChainRequest request = ChainQuestion.from(client, asked);
    ChainQuestion.check(request);
    planner.check(request.destination(), ChainQuestion.via(request), ChainQuestion.avoid(request));
    HopOverrides.check(request);
    AllowedSources.check(request);
    UUID id = UUID.randomUUID();
    CompletableFuture<Chain> result = new CompletableFuture<>();
    running.put(id, result);
    try {
      while (key != null) {
        Optional<IdempotencyKeys.Claim> earlier =
            keys.claim(key, IdempotencyKeys.digest(asked), id);
        if (earlier.isEmpty()) {
          break;
        }
        Optional<Chain> theirs = madeBy(earlier.get(), asked);
        if (theirs.isPresent()) {
          return new Opened(theirs.get(), false);
        }
        // That attempt ended with its orchestrator's process; the key is free.
        keys.release(key, earlier.get().chainId());
      }
      takePlace(id, owner, mostOpen);
      Chain chain = open(id, request, owner, null);
      result.complete(chain);
      return new Opened(chain, true);
    } catch (RuntimeException e) {
      if (key != null) {
        keys.release(key, id);
      }
      result.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(id);
      leavePlace(id);
    }
  }

  /**
   * Chains that are being opened count as well, except calls that wait for the chain of an earlier
   * call with the same key.
   */
  private synchronized void takePlace(UUID id, @Nullable String owner, int mostOpen) {
    if (owner == null) {
      return;
    }
    Set<UUID> theirs =
        book.unended().stream()
            .filter(chain -> owner.equals(chain.owner()))
            .map(Chain::id)
            .collect(Collectors.toCollection(HashSet::new));
    places.forEach((opening, whose) -> {
      if (owner.equals(whose)) {
        theirs.add(opening);
      }
    });
    if (theirs.size() >= mostOpen) {
      throw new Refusal(
          ProblemKind.TOO_MANY_CHAINS,
          mostOpen
              + " open chains are the most for "
              + owner
              + "; fix: close some (cascade close), or start the orchestrator with a greater"
              + " --chains-per-client");
    }
    places.put(id, owner);
  }

  private synchronized void leavePlace(UUID id) {
    places.remove(id);
  }

  /**
   * Opens a chain for the SOCKS5 and CONNECT clients of its first relay, without an ingress port of
   * its own.
   *
   * @param request names the relays
   * @param plan chose these relays; stored with the chain
   * @throws Refusal when no chain was opened
   */
  Chain openForProxy(ChainRequest request, Plan plan) {
    planner.check(request.destination(), ChainQuestion.via(request), ChainQuestion.avoid(request));
    return open(UUID.randomUUID(), request, null, plan);
  }

  private Optional<Chain> madeBy(IdempotencyKeys.Claim claim, ChainRequest asked) {
    if (!claim.bodyDigest().equals(IdempotencyKeys.digest(asked))) {
      throw new Refusal(
          ProblemKind.IDEMPOTENCY_KEY_REUSED,
          "Idempotency-Key: used with another body, for chain "
              + claim.chainId()
              + " (expected: a new key for a new chain)");
    }
    CompletableFuture<Chain> other = running.get(claim.chainId());
    if (other != null) {
      try {
        return Optional.of(other.join());
      } catch (CompletionException e) {
        throw e.getCause() instanceof Refusal refusal ? refusal : e;
      }
    }
    try {
      Chain chain = book.known(claim.chainId());
      return chain.state() == ChainState.FAILED ? Optional.empty() : Optional.of(chain);
    } catch (Refusal pruned) {
      return Optional.empty();
    }
  }

  /**
   * @param proxyPlan plan of a chain for a proxy; null for any other chain
   */
  private Chain open(
      UUID id, ChainRequest request, @Nullable String owner, @Nullable Plan proxyPlan) {
    choosable(request, Set.of());
    Chain chain = book.draft(id, request, owner);
    chain.work().lock();
    try {
      book.enter(chain);
      attemptOrFail(chain, proxyPlan);
      return chain;
    } finally {
      chain.work().unlock();
    }
  }

  private void attemptOrFail(Chain chain, @Nullable Plan proxyPlan) {
    try {
      attempt(chain, proxyPlan);
    } catch (RuntimeException e) {
      fail(chain, e);
      throw e instanceof Refusal refusal ? refusal.of(chain.id()) : e;
    }
  }

  private void attempt(Chain chain, @Nullable Plan proxyPlan) {
    boolean forProxy = proxyPlan != null;
    ChainRequest request = chain.request();
    SetupMode mode = Objects.requireNonNullElse(request.setup(), SetupMode.PARALLEL);
    int port = Objects.requireNonNullElse(request.ingressPort(), 0);
    Set<String> culprits = new TreeSet<>();
    List<Refusal> refusals = new ArrayList<>();
    for (int attempt = 1; ; attempt++) {
      Choice choice =
          proxyPlan == null
              ? choose(request, culprits, refusals)
              : new Choice(RelayPipes.plain(ChainQuestion.via(request)), proxyPlan);
      boolean tls = HopProtection.tls(request, choice.relays(), relays);
      Installation installation =
          Installation.on(chain.nextRevision(), choice.relays(), tls, port, forProxy, hopKeys);
      if (!forProxy
          && Boolean.TRUE.equals(request.codedIngress())
          && relays.known(installation.route().firstRelay()).offersCoded()) {
        installation = installation.openedTo(hopKeys.next());
      }
      chain.choose(choice.plan(), installation);
      book.move(chain, ChainEvent.PLANNED, null);

      ChainSetup.Outcome outcome = setup.install(chain, installation, mode, attempt);
      chain.report(outcome.report());
      if (outcome.complete() && (forProxy || outcome.ingress() != null)) {
        if (outcome.ingress() != null) {
          chain.install(installation.reachedAt(outcome.ingress()));
        }
        book.move(chain, ChainEvent.INSTALLED, null);
        expiry.begin(chain);
        return;
      }
      ChainSetup.Failure culprit =
          outcome.complete()
              ? new ChainSetup.Failure(
                  installation.route().firstRelay(),
                  ProblemKind.RELAY_REFUSED,
                  "did not report the port that it listens on",
                  null)
              : outcome.culprit();
      Refusal refusal = ChainSetup.refusal(culprit);
      refusals.add(refusal);
      rollBack(chain, outcome.contacted(), refusal.reason());
      if (!ChainQuestion.via(request).isEmpty() || attempt == ATTEMPTS) {
        throw summary(refusals, "");
      }
      String blamed = culprit.blamed();
      culprits.add(blamed);
      book.move(chain, ChainEvent.PLANNED_AGAIN, refusal.reason() + "; trying without " + blamed);
    }
  }

  private void rollBack(Chain chain, List<String> contacted, String why) {
    book.move(chain, ChainEvent.REFUSED, why);
    removal.remove(chain.id(), contacted, true);
  }

  /** Moves the chain to a final state after any failure. */
  private void fail(Chain chain, RuntimeException failure) {
    String why = failure instanceof Refusal refusal ? refusal.reason() : failure.toString();
    if (chain.state() == ChainState.INSTALLING) {
      rollBack(chain, chain.relays(), why);
    }
    if (chain.state() == ChainState.ROLLING_BACK) {
      book.move(chain, ChainEvent.GIVEN_UP, why);
    } else if (chain.state() == ChainState.PLANNING) {
      book.move(chain, ChainEvent.UNPLANNABLE, why);
    }
  }

  private record Choice(RelayPipes relays, @Nullable Plan plan) {}

  private Choice choose(ChainRequest request, Set<String> culprits, List<Refusal> refusals) {
    List<String> via = ChainQuestion.via(request);
    boolean onlyIfBetter = Boolean.TRUE.equals(request.onlyIfBetter());
    if (!ChainQuestion.needsPlan(request)) {
      return new Choice(RelayPipes.of(request, via), null);
    }
    if (ChainQuestion.namesEnds(request)) {
      return choice(
          request,
          pipeChoice.of(
              request, ChainQuestion.of(request, null, culprits, relays.all()), via, null));
    }
    try {
      choosable(request, culprits);
      boolean stored = ChainQuestion.restsOnStored(request);
      PlanRequest question =
          ChainQuestion.of(request, request.source(), culprits, relays.all()).toBuilder()
              .stored(stored)
              .build();
      Planned planned = planner.planToOpen(question, false);
      if (planned.relays().isEmpty()) {
        throw noRoute(planned);
      }
      boolean ruledOut =
          stored
              && (planned.document().decision() == Decision.DIRECT
                  || planned.document().decision() == Decision.EQUAL);
      if (ruledOut || (onlyIfBetter && !planned.pays())) {
        throw new Refusal(ProblemKind.NOT_BETTER, planned.words());
      }
      return choice(
          request, pipeChoice.of(request, question, planned.relays(), planned.document()));
    } catch (Refusal refusal) {
      throw refusals.isEmpty()
          ? refusal
          : summary(refusals, "; no other route is left: " + refusal.reason());
    }
  }

  private static Choice choice(ChainRequest request, PipeChoice.Chosen chosen) {
    HopOverrides.check(request, chosen.relays());
    return new Choice(chosen.relays(), chosen.plan());
  }

  private static Refusal noRoute(Planned planned) {
    if (planned.notAllowed()) {
      return new Refusal(
          ProblemKind.DESTINATION_NOT_ALLOWED,
          "no relay may connect there: " + String.join("; ", planned.obstacles()));
    }
    return new Refusal(
        ProblemKind.NO_ROUTE,
        planned.obstacles().isEmpty()
            ? planned.words()
            : "the destination was not reached from "
                + String.join("; from ", planned.obstacles())
                + "; fix: start the destination, or name relays with via");
  }

  private static Refusal summary(List<Refusal> refusals, String rest) {
    List<String> reasons = refusals.stream().map(Refusal::reason).toList();
    String words =
        reasons.size() == 1
            ? reasons.getFirst()
            : reasons.size() + " attempts: " + String.join("; then ", reasons);
    return new Refusal(refusals.getLast().kind(), words + rest);
  }

  /** Refuses requests that cannot become a chain, before one is created. */
  private void choosable(ChainRequest request, Set<String> culprits) {
    List<String> via = ChainQuestion.via(request);
    for (String name : via) {
      RegisteredRelay relay = relays.known(name);
      if (!relay.isUp()) {
        throw new Refusal(
            relay.isDraining() ? ProblemKind.RELAY_DRAINING : ProblemKind.RELAY_LOST,
            name
                + (relay.isDraining()
                    ? ": takes no new streams; fix: leave it out"
                    : ": silent since "
                        + relay.lastSeenAt()
                        + "; fix: start it again, or leave it out"));
      }
    }
    if (!via.isEmpty()) {
      boolean ignored =
          HopProtection.tls(HopProtection.asked(request), via.stream().map(relays::known).toList());
    }
    if (via.isEmpty()) {
      List<String> avoid = ChainQuestion.avoid(request);
      List<RegisteredRelay> left =
          relays.all().stream()
              .filter(RegisteredRelay::isUp)
              .filter(one -> !avoid.contains(one.name()) && !culprits.contains(one.name()))
              .toList();
      List<String> obstacles = obstacles(request, left);
      if (!left.isEmpty() && obstacles.size() == left.size()) {
        throw new Refusal(ProblemKind.NO_RELAYS, String.join("; ", obstacles));
      }
      if (left.isEmpty()) {
        throw new Refusal(
            ProblemKind.NO_RELAYS,
            relays.all().isEmpty()
                ? "no relay has registered: " + RelayRegistry.START_ONE
                : "no usable relay is up; fix: start one, or avoid fewer");
      }
    }
  }

  private static List<String> obstacles(ChainRequest request, List<RegisteredRelay> among) {
    return among.stream()
        .flatMap(relay -> HopProtection.obstacle(HopProtection.asked(request), relay).stream())
        .toList();
  }
}
