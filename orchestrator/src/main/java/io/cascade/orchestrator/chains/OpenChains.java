package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.contract.RouteHops;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The chains that have not ended, for other features. */
@Component
public class OpenChains {
  private final ChainBook book;

  OpenChains(ChainBook book) {
    this.book = book;
  }

  /**
   * A chain that has not ended.
   *
   * @param prediction prediction for its route; null if it was not planned
   * @param pipes rate that the plan expects of several pipes
   */
  public record OpenChain(
      UUID id,
      @Nullable String name,
      ChainState state,
      String destination,
      RouteHops route,
      @Nullable RoutePrediction prediction,
      PipeShares pipes) {}

  /** Chains that carry streams, by name and then by id. */
  public List<OpenChain> carrying() {
    return book.carrying().stream()
        .map(OpenChains::shown)
        .sorted(
            Comparator.comparing((OpenChain chain) -> Objects.requireNonNullElse(chain.name(), ""))
                .thenComparing(OpenChain::id))
        .toList();
  }

  /** Number of chains in each state. */
  public Map<ChainState, Long> byState() {
    Map<ChainState, Long> counts = new EnumMap<>(ChainState.class);
    book.unended().forEach(chain -> counts.merge(chain.state(), 1L, Long::sum));
    return counts;
  }

  private static OpenChain shown(Chain chain) {
    return new OpenChain(
        chain.id(),
        chain.request().name(),
        chain.state(),
        chain.request().destination(),
        chain.installedRoute(),
        RoutePrediction.of(chain).orElse(null),
        PipeShares.of(chain.plan(), chain.installedRoute()));
  }
}
