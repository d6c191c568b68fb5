package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prediction for a chain's route by the plan that it was opened with.
 *
 * @param candidate prediction of the whole route
 * @param hops prediction of each hop
 * @param bufferBytes bytes of one direction that relays have to be able to hold, by relay, where
 *     known
 */
public record RoutePrediction(
    Candidate candidate, Map<HopAddress, HopPrediction> hops, Map<String, Double> bufferBytes) {

  /** Copies the maps. */
  public RoutePrediction {
    hops = Map.copyOf(hops);
    bufferBytes = Map.copyOf(bufferBytes);
  }

  /** The prediction; empty if nothing was planned, or another route. */
  static Optional<RoutePrediction> of(Chain chain) {
    Plan plan = chain.plan();
    RouteHops route = chain.route();
    // Planned cascades have one pipe.
    return plan == null || route == null || !route.isOnePipe()
        ? Optional.empty()
        : plan.candidates().stream()
            .filter(candidate ->
                candidate.kind() == CandidateKind.CASCADE
                    && candidate.relays().equals(route.relays())
                    && candidate.hops().size() == route.all().size())
            .findFirst()
            .map(candidate -> of(candidate, route));
  }

  private static RoutePrediction of(Candidate candidate, RouteHops route) {
    Map<HopAddress, HopPrediction> hops = new HashMap<>();
    Iterator<HopPrediction> predictions = candidate.hops().iterator();
    for (RouteHop hop : route.all()) {
      hops.put(hop.address(), predictions.next());
    }
    Map<String, Double> buffers = new HashMap<>();
    Iterator<Double> needs =
        Objects.requireNonNullElse(candidate.relayBufferBytes(), List.<Double>of()).iterator();
    for (String relay : route.relays()) {
      if (needs.hasNext()) {
        buffers.put(relay, needs.next());
      }
    }
    return new RoutePrediction(candidate, hops, buffers);
  }

  /** Prediction of a hop of the route. */
  public HopPrediction of(HopAddress hop) {
    return Objects.requireNonNull(hops.get(hop));
  }

  /** Predicted rate of one stream, in bit/s; null if unknown. */
  public @Nullable Double bitsPerSecond() {
    return candidate.bitsPerSecond();
  }
}
