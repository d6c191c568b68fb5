package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of the planner.
 *
 * @param toOpen whether a chain is opened from the plan
 * @param ingress relay at which all cascades have to begin; null for any
 * @param guarded whether a proxy's client named the destination, so that relays that listen only on
 *     loopback refuse loopback destinations
 */
record PlanCall(PlanRequest request, boolean toOpen, @Nullable String ingress, boolean guarded) {
  List<String> via() {
    return Objects.requireNonNullElse(request.via(), List.of());
  }

  Set<String> avoid() {
    return new HashSet<>(Objects.requireNonNullElse(request.avoid(), List.of()));
  }

  boolean trial() {
    return Boolean.TRUE.equals(request.trial()) && via().isEmpty();
  }

  /** Whether the answer rests on stored evidence only. */
  boolean stored() {
    return Boolean.TRUE.equals(request.stored());
  }

  /** The same call, with earlier measurements of its client. */
  PlanCall from(Source source) {
    return new PlanCall(request.toBuilder().source(source).build(), toOpen, ingress, guarded);
  }

  /** Whether there is time to measure for the plan. */
  boolean thorough() {
    if (stored()) {
      return false;
    }
    return request.measureSeconds() == null || request.measureSeconds() > 0;
  }
}
