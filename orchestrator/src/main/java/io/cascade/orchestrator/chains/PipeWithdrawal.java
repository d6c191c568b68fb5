package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.contract.HopAddresses;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Withdraws pipes that lead through a relay which drains from the streams of chains of several
 * pipes, until it serves again. The relays where the pipes begin move their running streams; their
 * parts say which pipes ({@link ChainParts}).
 */
@Component
class PipeWithdrawal {
  private final ChainBook book;
  private final ChainSetup setup;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final Retries retries;

  /** Pipes that were withdrawn when the relays where they begin were told last. */
  private final Map<UUID, Set<HopAddress>> told = new ConcurrentHashMap<>();

  PipeWithdrawal(
      ChainBook book,
      ChainSetup setup,
      RelayCalls calls,
      RelayRegistry relays,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.setup = setup;
    this.calls = calls;
    this.relays = relays;
    this.retries = new Retries(time, jitter);
  }

  /** Begins with those chains of which something has changed. */
  void round() {
    told.keySet().removeIf(id -> book.live(id).isEmpty());
    retries.retain(id -> book.live(id).isPresent());
    for (Chain chain : book.carrying()) {
      if (!withdrawn(chain).equals(told.getOrDefault(chain.id(), Set.of()))
          && retries.due(chain.id())) {
        calls.soon(() -> tell(chain));
      }
    }
  }

  private Set<HopAddress> withdrawn(Chain chain) {
    return RelayPipes.draining(
        chain.installedRoute(),
        name -> relays.find(name).filter(RegisteredRelay::isDraining).isPresent());
  }

  private void tell(Chain chain) {
    // Whoever holds it opens, repairs or closes; the next round looks again.
    if (!chain.work().tryLock()) {
      return;
    }
    try {
      Installation before = chain.installation();
      Set<HopAddress> now = withdrawn(chain);
      Set<HopAddress> past = told.getOrDefault(chain.id(), Set.of());
      if (before == null || !chain.carries() || now.equals(past)) {
        return;
      }
      List<String> beginnings = beginnings(before.route());
      if (!beginnings.stream().allMatch(name -> relays.known(name).isUp())) {
        retries.failed(chain.id());
        return;
      }
      String words = words(before.route(), past, now);
      Installation after = before.repeated();
      book.save(chain, after);
      if (setup.install(chain, after, beginnings, SetupMode.PARALLEL, 1).complete()) {
        told.put(chain.id(), now);
        retries.forget(chain.id());
        book.remark(chain, words);
      } else {
        retries.failed(chain.id());
      }
    } finally {
      chain.work().unlock();
    }
  }

  /** Relays where pipes between relays begin. */
  private static List<String> beginnings(RouteHops route) {
    return route.joiningRelays().stream()
        .filter(hop -> hop.address().hop() == 0)
        .map(RouteHop::from)
        .distinct()
        .toList();
  }

  private String words(RouteHops route, Set<HopAddress> past, Set<HopAddress> now) {
    Set<HopAddress> taken = new LinkedHashSet<>(now);
    taken.removeAll(past);
    if (taken.isEmpty()) {
      return "its streams take up the pipes again that led through relays that drained";
    }
    String drains =
        route.relays().stream()
            .filter(name -> relays.known(name).isDraining())
            .collect(Collectors.joining(", "));
    String pipes =
        taken.stream()
            .map(hop -> HopAddresses.text(hop).replaceFirst("\\.0$", ""))
            .collect(Collectors.joining(", "));
    return "its streams leave pipe " + pipes + ": " + drains + " takes no new streams";
  }
}
