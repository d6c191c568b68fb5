package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.contract.HopAddresses;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Withdraws pipes through a draining relay from the streams of chains with several pipes, until the
 * relay serves again. The relays where the pipes begin move their running streams; their parts name
 * the pipes ({@link PartCutter}).
 */
@Component
class PipeWithdrawal extends ChainUpkeepRule {
  private final ChainSetup setup;
  private final RelayRegistry relays;

  /** Withdrawn pipes, as the relays where they begin were last told. */
  private final Map<UUID, Set<HopAddress>> told = new ConcurrentHashMap<>();

  PipeWithdrawal(
      ChainBook book, ChainSetup setup, RelayCalls calls, RelayRegistry relays, Retries retries) {
    super(book, calls, retries);
    this.setup = setup;
    this.relays = relays;
  }

  @Override
  boolean needs(Chain chain) {
    return chain.carries() && !withdrawn(chain).equals(past(chain));
  }

  private Set<HopAddress> past(Chain chain) {
    return told.getOrDefault(chain.id(), Set.of());
  }

  @Override
  public void retain(Predicate<UUID> live) {
    super.retain(live);
    told.keySet().removeIf(live.negate());
  }

  private Set<HopAddress> withdrawn(Chain chain) {
    return RelayPipes.draining(
        chain.installedRoute(),
        name -> relays.find(name).filter(RegisteredRelay::isDraining).isPresent());
  }

  @Override
  void keep(Chain chain) {
    Installation before = Objects.requireNonNull(chain.installation());
    Set<HopAddress> now = withdrawn(chain);
    List<String> beginnings = beginnings(before.route());
    if (!beginnings.stream().allMatch(name -> relays.known(name).isUp())) {
      retries.failed(chain.id());
      return;
    }
    String words = words(before.route(), past(chain), now);
    Installation after = before.repeated();
    book.save(chain, after);
    if (setup.install(chain, after, beginnings, SetupMode.PARALLEL, 1).complete()) {
      told.put(chain.id(), now);
      retries.forget(chain.id());
      book.remark(chain, words);
    } else {
      retries.failed(chain.id());
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
      return "its streams use again the pipes through relays that no longer drain";
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
