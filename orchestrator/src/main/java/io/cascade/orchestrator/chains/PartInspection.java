package io.cascade.orchestrator.chains;

import static java.util.stream.Collectors.toMap;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Compares the parts that relays report with those that they should hold. A part of a chain that
 * has ended, or whose route has changed, is removed. A missing part is installed again, and so is
 * one that accepts streams from any address although the chain names its sources. Counters of the
 * other parts are passed on.
 *
 * <p>A part of a chain that is unknown here may belong to another orchestrator, and is left alone
 * while its lease runs. After that no orchestrator maintains it: a restored database may be older
 * than the chain. It is removed {@link #UNKNOWN_KEPT} later, which leaves time to restart the
 * orchestrator if it was started with a wrong database.
 *
 * <p>A relay is inspected when it registers, when it reports again after a silence, and
 * periodically.
 */
@Component
class PartInspection implements UpkeepRule {
  /** Longest time between two inspections of a relay. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  /** Longest time between two inspections of a relay while there are no chains. */
  private static final Duration PERIOD_AT_REST = Duration.ofMinutes(1);

  /** Time for which a part of an unknown chain is left after its lease ran out. */
  static final Duration UNKNOWN_KEPT = Duration.ofMinutes(10);

  /** Time between two checks for due inspections, while nothing needs measurements. */
  private static final Duration LOOK_AT_REST = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(PartInspection.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_AT_A_TIME = 16;

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainRepair repair;
  private final RelayCalls calls;
  private final ChainRates rates;
  private final HopEvidence evidence;
  private final CodedEvidence coded;
  private final ChainDestinations destinations;
  private final RelayRegistry relays;
  private final RelayControls controls;
  private final Timekeeper time;
  private final Jitter jitter;
  private final Map<String, Visit> visits = new ConcurrentHashMap<>();

  /** Marks at which parts of unknown chains without a lease were first seen. */
  private final Map<UnknownPart, Long> unknown = new ConcurrentHashMap<>();

  private final Semaphore running = new Semaphore(MOST_AT_A_TIME);

  /** Relays that are being inspected, so that a slow one has at most one inspection at a time. */
  private final Set<String> visited = ConcurrentHashMap.newKeySet();

  private long lookedAt;

  PartInspection(
      ChainBook book,
      ChainRemoval removal,
      ChainRepair repair,
      RelayCalls calls,
      ChainRates rates,
      HopEvidence evidence,
      CodedEvidence coded,
      ChainDestinations destinations,
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
    this.coded = coded;
    this.destinations = destinations;
    this.relays = relays;
    this.controls = controls;
    this.time = time;
    this.jitter = jitter;
  }

  /** The last inspection of a relay, and the time until the next. */
  private record Visit(long since, Duration pause) {}

  private record UnknownPart(String relay, UUID chain) {}

  @EventListener
  void on(RelayFact.Registered fact) {
    visits.remove(fact.relay().name());
  }

  @EventListener
  void on(RelayFact.Recovered fact) {
    visits.remove(fact.relay().name());
  }

  /** Starts the inspections that are due, as many as may run at a time. */
  @Override
  public void round() {
    if (!relays.isAtRest() || time.passed(lookedAt, LOOK_AT_REST)) {
      lookedAt = time.mark();
      lookAtRelays();
    }
  }

  /** Returns true, since relays may hold parts of chains that have ended. */
  @Override
  public boolean worksWithoutChains() {
    return true;
  }

  private void lookAtRelays() {
    Duration period = relays.isAtRest() ? PERIOD_AT_REST : PERIOD;
    List<RegisteredRelay> all = relays.all();
    Set<String> names = all.stream().map(RegisteredRelay::name).collect(Collectors.toSet());
    visits.keySet().retainAll(names);
    unknown.keySet().removeIf(part -> !names.contains(part.relay()));
    for (RegisteredRelay relay : all) {
      Visit visit = visits.get(relay.name());
      boolean due = visit == null || time.passed(visit.since(), visit.pause());
      if (!relay.isGone() && due && !visited.contains(relay.name()) && running.tryAcquire()) {
        visits.put(relay.name(), new Visit(time.mark(), jitter.within(period)));
        visited.add(relay.name());
        calls.soon(() -> {
          try {
            inspect(relay.name());
          } finally {
            visited.remove(relay.name());
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
      return; // LeaseUpkeep reports a relay that does not answer
    }
    List<PartStatus> parts =
        reported.stream()
            .filter(part -> part.state() == PartState.READY || part.state() == PartState.UNATTENDED)
            .toList();
    Map<UUID, PartStatus> held =
        parts.stream().collect(toMap(PartStatus::chainId, it -> it, (one, _) -> one));
    parts.forEach(part -> count(part, name));
    Set<UUID> strange = removeUnwanted(parts, name);
    unknown.keySet().removeIf(part -> part.relay().equals(name) && !strange.contains(part.chain()));
    removeUnknown(strange, name);
    for (Chain chain : wanted) {
      if (!chain.repairedSince(asked)
          && chain.relays().contains(name)
          && !chain.missing().contains(name)) {
        repairIfNeeded(chain, name, held.get(chain.id()));
      }
    }
  }

  private void repairIfNeeded(Chain chain, String relay, @Nullable PartStatus held) {
    if (held == null) {
      repair.missing(chain, relay, relay + " no longer had its part and gets it again");
    } else if (AllowedSources.areMissing(chain, relay, held)) {
      repair.missing(
          chain,
          relay,
          relay + " accepted streams from every address and gets its part with allowSources");
    }
  }

  private void count(PartStatus part, String relay) {
    Optional<Chain> carrying = book.live(part.chainId()).filter(Chain::carries);
    carrying.ifPresent(chain -> {
      evidence.counted(chain, relay, part.totals());
      coded.counted(chain, relay, part);
      destinations.counted(chain, relay, part.totals());
    });
    if (carrying.filter(chain -> relay.equals(chain.installedRoute().lastRelay())).isPresent()) {
      rates.counted(part.chainId(), relay, part.totals());
    }
  }

  /**
   * @return chains that are unknown here, of parts without a lease
   */
  private Set<UUID> removeUnwanted(List<PartStatus> parts, String relay) {
    Set<UUID> notLive =
        parts.stream()
            .map(PartStatus::chainId)
            .filter(id -> book.live(id).isEmpty())
            .collect(Collectors.toSet());
    Set<UUID> ended = book.endedAmong(notLive);
    Set<UUID> strange = new HashSet<>();
    for (PartStatus part : parts) {
      UUID id = part.chainId();
      Optional<Chain> live = book.live(id);
      if (live.isPresent()) {
        removeIfElsewhere(live.get(), relay);
      } else if (ended.contains(id)) {
        book.ended(id).ifPresent(chain -> remove(chain, relay));
      } else if (notLive.contains(id) && part.state() == PartState.UNATTENDED) {
        strange.add(id);
      }
    }
    return strange;
  }

  private void removeIfElsewhere(Chain chain, String relay) {
    if (!chain.relays().contains(relay)) {
      chain.ifFree(() -> {
        if (!chain.relays().contains(relay)) {
          remove(chain, relay);
        }
      });
    }
  }

  /** Logs one line for each inspection, however many parts the relay reports. */
  private void removeUnknown(Set<UUID> chains, String relay) {
    List<UUID> fresh = new ArrayList<>();
    List<UUID> gone = new ArrayList<>();
    for (UUID chain : chains) {
      UnknownPart part = new UnknownPart(relay, chain);
      Long since = unknown.putIfAbsent(part, time.mark());
      if (since == null) {
        fresh.add(chain);
      } else if (time.passed(since, UNKNOWN_KEPT)
          && removal.remove(chain, List.of(relay), false).isEmpty()) {
        unknown.remove(part);
        gone.add(chain);
      }
    }
    if (!fresh.isEmpty()) {
      LOG.warn(
          "{} holds parts of {}, which this orchestrator does not know and whose leases it does not"
              + " renew: they are removed in {} minutes; fix: to keep them, start the orchestrator"
              + " with the database that has these chains",
          relay,
          words(fresh),
          UNKNOWN_KEPT.toMinutes());
    }
    if (!gone.isEmpty()) {
      LOG.warn(
          "{} removed its parts of {}, which this orchestrator does not know", relay, words(gone));
    }
  }

  private static String words(List<UUID> chains) {
    return (chains.size() == 1 ? "chain " : chains.size() + " chains, such as ")
        + chains.getFirst();
  }

  /** Removes a part that is no longer wanted, without aborting the streams that still use it. */
  private void remove(Chain chain, String relay) {
    if (removal.remove(chain.id(), List.of(relay), false).isEmpty()) {
      book.remark(
          chain, relay + " still held a part that the chain no longer uses, and removed it");
    }
  }
}
