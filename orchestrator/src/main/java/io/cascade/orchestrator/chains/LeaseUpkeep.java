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
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Renews the leases of all chains, by one call per relay and lease length, before a third of the
 * lease has passed. A relay that no longer knows a part gets it again.
 */
@Component
class LeaseUpkeep implements UpkeepRule {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_CHAINS_PER_CALL = 10_000;

  private final ChainBook book;
  private final ChainRepair repair;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final RelayControls controls;
  private final Timekeeper time;
  private final Jitter jitter;
  private final Map<Lease, Renewal> renewals = new ConcurrentHashMap<>();

  LeaseUpkeep(
      ChainBook book,
      ChainRepair repair,
      RelayCalls calls,
      RelayRegistry relays,
      RelayControls controls,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.repair = repair;
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

  /** The last renewal of a lease, successful or not. */
  private static final class Renewal {
    private volatile boolean running;
    private volatile boolean due = true;
    private volatile long triedAt;
    private volatile Duration wait = Duration.ZERO;
    private volatile long succeededAt;
  }

  @EventListener
  void on(RelayFact.Recovered fact) {
    renewals.forEach((lease, renewal) -> {
      if (lease.relay().equals(fact.relay().name())) {
        renewal.due = true;
      }
    });
  }

  @Override
  public void round() {
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
      // An answer to a question from before the repair is outdated.
      if (chain != null && !chain.repairedSince(asked) && !chain.missing().contains(relay.name())) {
        repair.missing(
            chain, relay.name(), relay.name() + " no longer had its part and gets it again");
      }
    }
  }
}
