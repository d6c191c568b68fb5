package io.cascade.contract;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the contract's request for a plan. What is not set, or set to null, is left out. */
public final class PlanRequestBuilder {
  private final String destination;
  private @Nullable Long bytes;
  private @Nullable Source source;
  private @Nullable List<String> via;
  private @Nullable List<String> avoid;
  private @Nullable Integer maxRelays;
  private @Nullable String congestionControl;
  private @Nullable Long capacityBitsPerSecond;
  private @Nullable PlanObjective objective;
  private @Nullable RouteLimits limits;
  private @Nullable Integer paths;
  private @Nullable Double measureSeconds;
  private @Nullable List<String> controls;
  private @Nullable TransportChoice transport;
  private @Nullable String client;
  private @Nullable Boolean trial;
  private @Nullable Boolean stored;

  private PlanRequestBuilder(String destination) {
    this.destination = destination;
  }

  /**
   * Begins a request.
   *
   * @param destination {@code host:port}, or the name of a node in a described network
   */
  public static PlanRequestBuilder to(String destination) {
    return new PlanRequestBuilder(destination);
  }

  /** Begins a request that asks for what another one does. */
  public static PlanRequestBuilder like(PlanRequest other) {
    return to(other.destination())
        .bytes(other.bytes())
        .source(other.source())
        .via(other.via())
        .avoid(other.avoid())
        .maxRelays(other.maxRelays())
        .congestionControl(other.congestionControl())
        .capacityBitsPerSecond(other.capacityBitsPerSecond())
        .objective(other.objective())
        .limits(other.limits())
        .paths(other.paths())
        .measureSeconds(other.measureSeconds())
        .controls(other.controls())
        .transport(other.transport())
        .client(other.client())
        .trial(other.trial())
        .stored(other.stored());
  }

  /** The length of the transfer; a stream without an end otherwise. */
  public PlanRequestBuilder bytes(@Nullable Long length) {
    bytes = length;
    return this;
  }

  /** The place where the traffic starts, with what was measured there. */
  public PlanRequestBuilder source(@Nullable Source where) {
    source = where;
    return this;
  }

  /** Exactly these relays, in this order. */
  public PlanRequestBuilder via(@Nullable List<String> relays) {
    via = relays;
    return this;
  }

  /** Relays that the route must not have. */
  public PlanRequestBuilder avoid(@Nullable List<String> relays) {
    avoid = relays;
    return this;
  }

  /** The most relays that the route may have. */
  public PlanRequestBuilder maxRelays(@Nullable Integer number) {
    maxRelays = number;
    return this;
  }

  /** Sets what all relays send with. */
  public PlanRequestBuilder congestionControl(@Nullable String name) {
    congestionControl = name;
    return this;
  }

  /** Sets what links are assumed to carry whose capacity nobody declared or measured, in bit/s. */
  public PlanRequestBuilder capacityBitsPerSecond(@Nullable Long rate) {
    capacityBitsPerSecond = rate;
    return this;
  }

  /** Sets what the best route is best at. */
  public PlanRequestBuilder objective(@Nullable PlanObjective what) {
    objective = what;
    return this;
  }

  /** Sets the limits that the route must keep. */
  public PlanRequestBuilder limits(@Nullable RouteLimits bounds) {
    limits = bounds;
    return this;
  }

  /** Sets how many routes together are to be shown as well. */
  public PlanRequestBuilder paths(@Nullable Integer number) {
    paths = number;
    return this;
  }

  /** Sets how long the plan may wait for throughput tests that would decide, in seconds. */
  public PlanRequestBuilder measureSeconds(@Nullable Double seconds) {
    measureSeconds = seconds;
    return this;
  }

  /** Congestion controls that the plan may have relays send with. */
  public PlanRequestBuilder controls(@Nullable List<String> names) {
    controls = names;
    return this;
  }

  /** Sets what carries hops between relays. */
  public PlanRequestBuilder transport(@Nullable TransportChoice choice) {
    transport = choice;
    return this;
  }

  /** The address where the traffic starts. */
  public PlanRequestBuilder client(@Nullable String address) {
    client = address;
    return this;
  }

  /** Whether the traffic goes directly as well, so that a slow chain does no harm. */
  public PlanRequestBuilder trial(@Nullable Boolean beside) {
    trial = beside;
    return this;
  }

  /** Whether the answer is to rest on what is stored alone. */
  public PlanRequestBuilder stored(@Nullable Boolean alone) {
    stored = alone;
    return this;
  }

  /** The request. */
  public PlanRequest build() {
    return new PlanRequest(
        destination,
        bytes,
        source,
        via,
        avoid,
        maxRelays,
        congestionControl,
        capacityBitsPerSecond,
        objective,
        limits,
        paths,
        measureSeconds,
        controls,
        transport,
        client,
        trial,
        stored);
  }
}
