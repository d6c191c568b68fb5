package io.cascade.orchestrator.chains;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Compares what relays say they hold with what they are wanted to hold. A part that nobody wants is
 * removed: that of a chain that has ended, or that goes elsewhere now. A part that is missing is
 * put again. What is there says how much it has carried.
 *
 * <p>A relay is looked at when it registers, when it speaks again after a silence, and now and
 * then.
 */
@Component
class PartInspection {
  /** At the most between two looks at a relay. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_AT_A_TIME = 16;

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainRepair repair;
  private final RelayCalls calls;
  private final ChainRates rates;
  private final HopEvidence evidence;
  private final RelayRegistry relays;
  private final RelayControls controls;
  private final Timekeeper time;
  private final Jitter jitter;
  private final Map<String, Visit> visits = new ConcurrentHashMap<>();
  private final Semaphore running = new Semaphore(MOST_AT_A_TIME);

  PartInspection(
      ChainBook book,
      ChainRemoval removal,
      ChainRepair repair,
      RelayCalls calls,
      ChainRates rates,
      HopEvidence evidence,
      RelayRegistry relays,
      RelayControls controls,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.removal = removal;
    this.repair = repair;
    this.calls = calls;
    this.rates = rates;
    this.evidence = evidence;
    this.relays = relays;
    this.controls = controls;
    this.time = time;
    this.jitter = jitter;
  }

  /** When the next look at a relay is due. */
  private record Visit(long since, Duration pause) {}

  @EventListener
  void on(RelayFact.Registered fact) {
    visits.remove(fact.relay().name());
  }

  @EventListener
  void on(RelayFact.Recovered fact) {
    visits.remove(fact.relay().name());
  }

  /** Begins those looks that are due, as many as may run. */
  void round() {
    rates.retain(id -> book.live(id).isPresent());
    evidence.retain(id -> book.live(id).isPresent());
    List<RegisteredRelay> all = relays.all();
    visits.keySet().removeIf(name -> all.stream().noneMatch(relay -> relay.name().equals(name)));
    for (RegisteredRelay relay : all) {
      Visit visit = visits.get(relay.name());
      boolean due = visit == null || time.passed(visit.since(), visit.pause());
      if (!relay.isLost() && due && running.tryAcquire()) {
        visits.put(relay.name(), new Visit(time.mark(), jitter.within(PERIOD)));
        calls.soon(() -> {
          try {
            inspect(relay.name());
          } finally {
            running.release();
          }
        });
      }
    }
  }

  private void inspect(String name) {
    Optional<RegisteredRelay> relay = relays.find(name);
    if (relay.isEmpty()) {
      return;
    }
    List<Chain> wanted = book.through(name).stream().filter(Chain::carries).toList();
    long asked = time.mark();
    List<PartStatus> reported;
    try {
      reported = controls.of(relay.get()).list(TIMEOUT).parts();
    } catch (ProblemException | UnreachableException e) {
      return; // Whoever renews its leases will say so.
    }
    Set<UUID> held = new HashSet<>();
    for (PartStatus part : reported) {
      if (part.state() == PartState.READY) {
        held.add(part.chainId());
        count(part, name);
        removeUnwanted(part.chainId(), name);
      }
    }
    for (Chain chain : wanted) {
      if (!held.contains(chain.id())
          && !chain.mendedSince(asked)
          && chain.relays().contains(name)
          && !chain.missing().contains(name)) {
        repair.missing(chain, name, name + " no longer had its part and gets it again");
      }
    }
  }

  private void count(PartStatus part, String relay) {
    Optional<Chain> carrying = book.live(part.chainId()).filter(Chain::carries);
    carrying.ifPresent(chain -> evidence.counted(chain, relay, part.totals()));
    if (carrying.filter(chain -> relay.equals(chain.relays().getLast())).isPresent()) {
      rates.counted(part.chainId(), relay, part.totals());
    }
  }

  private void removeUnwanted(UUID id, String relay) {
    Optional<Chain> live = book.live(id);
    if (live.isEmpty()) {
      // One that nobody here ever knew is left to its lease: this orchestrator may have been given
      // another's relays by mistake.
      book.ended(id).ifPresent(chain -> remove(chain, relay));
      return;
    }
    Chain chain = live.get();
    if (!chain.relays().contains(relay) && chain.work().tryLock()) {
      try {
        if (!chain.relays().contains(relay)) {
          remove(chain, relay);
        }
      } finally {
        chain.work().unlock();
      }
    }
  }

  /** Streams that run through it finish: they may be the last that know of the chain. */
  private void remove(Chain chain, String relay) {
    if (removal.remove(chain.id(), List.of(relay), false).isEmpty()) {
      book.remark(chain, relay + " still held a part that nobody wants, and gave it up");
    }
  }
}
