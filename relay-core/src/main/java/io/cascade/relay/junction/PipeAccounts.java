package io.cascade.relay.junction;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The accounts of a chain's pipes, by the hops over which they begin or end here. Thread-safe. */
public final class PipeAccounts {
  private final Map<HopAddress, PipeAccount> accounts = new ConcurrentHashMap<>();

  /** Returns the account of a hop, which is made if missing. */
  public PipeAccount of(HopAddress hop) {
    return accounts.computeIfAbsent(hop, PipeAccount::new);
  }

  /** Returns the account of a hop; null if it never had a pipe. */
  public @Nullable PipeAccount find(HopAddress hop) {
    return accounts.get(hop);
  }

  /** Returns what was carried over each hop, in the order of the hops. */
  public List<PipeTotals> totals() {
    return accounts.values().stream()
        .map(PipeAccount::totals)
        .sorted(
            Comparator.comparing((PipeTotals totals) -> totals.hop().segment())
                .thenComparing(totals -> totals.hop().pipe())
                .thenComparing(totals -> totals.hop().hop()))
        .toList();
  }
}
