package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.orchestrator.relays.RegisteredRelay;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of one attempt to plan, besides the evidence that the orchestrator has recorded.
 *
 * @param site the relay at the source's site; null if the request names none
 * @param ingress the relay at which all cascades have to begin; null for any
 * @param atDestination the name of the only relay on the destination's host; null if there is none,
 *     or more than one
 * @param client the address where the traffic starts; null if unknown
 */
record PlanInputs(
    HostPort destination,
    UsableRelays relays,
    @Nullable RegisteredRelay site,
    @Nullable String ingress,
    @Nullable String atDestination,
    DestinationReach reach,
    SourceObservations observations,
    @Nullable String client) {

  /** Whether anything is known about the start of the traffic. */
  boolean sourceIsKnown() {
    return site != null || !observations.isEmpty();
  }

  boolean isSite(String relay) {
    return site != null && site.name().equals(relay);
  }
}
