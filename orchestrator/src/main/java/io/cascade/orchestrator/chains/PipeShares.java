package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rates that the plan of a chain expects of its pipes.
 *
 * @param bitsPerSecond rate of all pipes together; null if several routes were not planned
 * @param byFirstHop rate of each pipe, by the address of its first hop; 0 for a pipe without a
 *     share in the plan
 */
public record PipeShares(@Nullable Double bitsPerSecond, Map<HopAddress, Double> byFirstHop) {
  private static final PipeShares NONE = new PipeShares(null, Map.of());

  public PipeShares {
    byFirstHop = Map.copyOf(byFirstHop);
  }

  static PipeShares of(@Nullable Plan plan, RouteHops route) {
    if (plan == null || route.isOnePipe()) {
      return NONE;
    }
    Optional<Candidate> together =
        plan.candidates().stream()
            .filter(candidate ->
                candidate.kind() == CandidateKind.MULTIPATH
                    && !shares(candidate).isEmpty()
                    && shares(candidate).stream().allMatch(share -> isOf(share, route)))
            .findFirst();
    if (together.isEmpty()) {
      return NONE;
    }
    Map<HopAddress, Double> found = new HashMap<>();
    for (RouteHop hop : route.joiningRelays()) {
      if (hop.address().hop() == 0) {
        found.put(hop.address(), share(together.get(), relays(route, hop)));
      }
    }
    return new PipeShares(together.get().bitsPerSecond(), found);
  }

  private static List<RouteShare> shares(Candidate candidate) {
    return Objects.requireNonNullElse(candidate.shares(), List.of());
  }

  private static boolean isOf(RouteShare share, RouteHops route) {
    List<String> relays = share.relays();
    return relays.size() >= 2
        && relays.getFirst().equals(route.firstRelay())
        && relays.getLast().equals(route.lastRelay());
  }

  private static double share(Candidate together, List<String> relays) {
    return shares(together).stream()
        .filter(share -> share.relays().equals(relays))
        .mapToDouble(RouteShare::share)
        .sum();
  }

  private static List<String> relays(RouteHops route, RouteHop first) {
    List<String> relays = new ArrayList<>(List.of(first.from()));
    route.pipe(first.address()).forEach(hop -> relays.add(hop.to()));
    return relays;
  }
}
