package io.cascade.orchestrator.chains;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Renews the leases of all chains, one call per relay and length of lease, before a third of it has
 * passed. A relay that no longer knows a part gets it again.
 */
@Component
class LeaseKeeper {
  private static final Duration ROUND = Duration.ofMillis(250);

  /** Between two rounds while there are no chains. */
  private static final Duration ROUND_WITHOUT_CHAINS = Duration.ofSeconds(1);

  /** Between two looks for relays whose inspection is due, while nothing needs measurements. */
  private static final Duration AT_REST = Duration.ofSeconds(5);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_CHAINS_PER_CALL = 10_000;

  private final ChainBook book;
  private final ChainRepair repair;
  private final ChainRerouting rerouting;
  private final PipeWithdrawal withdrawal;
  private final BetterPipes better;
  private final PartInspection inspection;
  private final ChainAdoption adoption;
  private final ChainExpiry expiry;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final RelayControls controls;
  private final Timekeeper time;
  private final Jitter jitter;
  private final Map<Lease, Renewal> renewals = new ConcurrentHashMap<>();
  private boolean hadChains = true;
  private boolean keeping = true;
  private long inspectedAt;
  private @Nullable PeriodicTask task;

  LeaseKeeper(
      ChainBook book,
      ChainRepair repair,
      ChainRerouting rerouting,
      PipeWithdrawal withdrawal,
      BetterPipes better,
      PartInspection inspection,
      ChainAdoption adoption,
      ChainExpiry expiry,
      RelayCalls calls,
      RelayRegistry relays,
      RelayControls controls,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.repair = repair;
    this.rerouting = rerouting;
    this.withdrawal = withdrawal;
    this.better = better;
    this.inspection = inspection;
    this.adoption = adoption;
    this.expiry = expiry;
    this.calls = calls;
    this.relays = relays;
    this.controls = controls;
    this.time = time;
    this.jitter = jitter;
  }

  private record Lease(String relay, int seconds) {
    Duration third() {
      return Duration.ofMillis(seconds * 1_000L / 3);
    }
  }

  /** The last renewal of a lease, or attempt at one. */
  private static final class Renewal {
    private volatile boolean running;
    private volatile boolean due = true;
    private volatile long triedAt;
    private volatile Duration wait = Duration.ZERO;
    private volatile long succeededAt;
  }

  /** Adopts the chains of an earlier life, and keeps them and all others from then on. */
  @EventListener(ApplicationReadyEvent.class)
  void start() {
    adoption.putPartsAgain();
    task =
        PeriodicTask.every(
            () -> keeping ? ROUND : ROUND_WITHOUT_CHAINS,
            "leases",
            this::look,
            whileKeeping(this::renew),
            whileKeeping(adoption::round),
            whileKeeping(expiry::round),
            whileKeeping(repair::round),
            whileKeeping(rerouting::round),
            whileKeeping(withdrawal::round),
            whileKeeping(better::round),
            this::inspect);
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
    calls.stop();
  }

  @EventListener
  void on(RelayFact.Recovered fact) {
    renewals.forEach((lease, renewal) -> {
      if (lease.relay().equals(fact.relay().name())) {
        renewal.due = true;
      }
    });
  }

  /** A first chain does not wait for a round of those that are seldom. */
  @EventListener
  void on(ChainFact.SetUp fact) {
    if (task != null) {
      task.soon();
    }
  }

  /** Without chains there is nothing to keep; the round after the last one's end is the last. */
  private void look() {
    boolean chains = !book.unended().isEmpty();
    if (chains) {
      relays.needed();
    }
    keeping = chains || hadChains;
    hadChains = chains;
  }

  private Runnable whileKeeping(Runnable step) {
    return () -> {
      if (keeping) {
        step.run();
      }
    };
  }

  private void inspect() {
    if (!relays.isAtRest() || time.passed(inspectedAt, AT_REST)) {
      inspectedAt = time.mark();
      inspection.round();
    }
  }

  private void renew() {
    Map<Lease, List<Chain>> held = new HashMap<>();
    for (Chain chain : book.carrying()) {
      for (String relay : chain.relays()) {
        held.computeIfAbsent(new Lease(relay, chain.leaseSeconds()), _ -> new ArrayList<>())
            .add(chain);
      }
    }
    renewals.keySet().retainAll(held.keySet());
    held.forEach((lease, chains) -> {
      Renewal renewal = renewals.computeIfAbsent(lease, _ -> fresh());
      if (!renewal.running && (renewal.due || time.passed(renewal.triedAt, renewal.wait))) {
        renewal.running = true;
        renewal.due = false;
        renewal.wait = jitter.within(lease.third());
        calls.soon(() -> renew(lease, chains, renewal));
      }
    });
  }

  private Renewal fresh() {
    Renewal renewal = new Renewal();
    renewal.triedAt = time.mark();
    renewal.succeededAt = time.mark();
    return renewal;
  }

  private void renew(Lease lease, List<Chain> chains, Renewal renewal) {
    try {
      Optional<RegisteredRelay> relay = relays.find(lease.relay());
      renewal.triedAt = time.mark();
      if (relay.isPresent()) {
        for (int from = 0; from < chains.size(); from += MOST_CHAINS_PER_CALL) {
          renew(
              relay.get(),
              lease,
              chains.subList(from, Math.min(chains.size(), from + MOST_CHAINS_PER_CALL)));
        }
        renewal.succeededAt = time.mark();
      }
    } catch (ProblemException | UnreachableException e) {
      boolean lost = relays.find(lease.relay()).map(RegisteredRelay::isGone).orElse(true);
      if (!lost && time.passed(renewal.succeededAt, lease.third().multipliedBy(2))) {
        for (Chain chain : chains) {
          book.trouble(
              chain,
              lease.relay(),
              lease.relay() + " did not renew its lease: " + e.getMessage(),
              false);
        }
      }
    } finally {
      renewal.running = false;
    }
  }

  private void renew(RegisteredRelay relay, Lease lease, List<Chain> chains) {
    Map<UUID, Chain> byId = new HashMap<>();
    chains.forEach(chain -> byId.put(chain.id(), chain));
    long asked = time.mark();
    LeaseRenewed answer =
        controls
            .of(relay)
            .renew(new LeaseRenewal(lease.seconds(), List.copyOf(byId.keySet())), TIMEOUT);
    boolean lost = relays.find(relay.name()).map(RegisteredRelay::isGone).orElse(true);
    for (UUID id : answer.renewed()) {
      Chain chain = byId.get(id);
      if (chain != null && !lost) {
        book.well(chain, relay.name());
      }
    }
    for (UUID id : answer.unknown()) {
      Chain chain = byId.get(id);
      // An answer from before the part was put again says nothing about it.
      if (chain != null && !chain.repairedSince(asked) && !chain.missing().contains(relay.name())) {
        repair.missing(
            chain, relay.name(), relay.name() + " no longer had its part and gets it again");
      }
    }
  }
}
