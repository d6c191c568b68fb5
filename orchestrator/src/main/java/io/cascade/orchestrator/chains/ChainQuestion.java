package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the planner is asked for a chain. */
final class ChainQuestion {
  private ChainQuestion() {}

  /**
   * @param source where the traffic starts, where that is known
   * @param culprits not to be used, besides those that the request avoids
   * @param among relays that there are
   */
  static PlanRequest of(
      ChainRequest request,
      @Nullable Source source,
      Collection<String> culprits,
      List<RegisteredRelay> among) {
    Set<String> avoid = new TreeSet<>(culprits);
    avoid.addAll(avoid(request));
    if (via(request).isEmpty()) {
      among.stream()
          .filter(one -> HopProtection.obstacle(HopProtection.asked(request), one).isPresent())
          .forEach(one -> avoid.add(one.name()));
    }
    return new PlanRequest(
        request.destination(),
        request.bytes(),
        source,
        request.via(),
        List.copyOf(avoid),
        request.maxRelays(),
        request.options() == null ? null : request.options().congestionControl(),
        null,
        null,
        null,
        null);
  }

  /** Relays that somebody named, in order; empty where the planner chooses. */
  static List<String> via(ChainRequest request) {
    return Objects.requireNonNullElse(request.via(), List.of());
  }

  static List<String> avoid(ChainRequest request) {
    return Objects.requireNonNullElse(request.avoid(), List.of());
  }
}
