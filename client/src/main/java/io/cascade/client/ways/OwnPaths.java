package io.cascade.client.ways;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.client.measure.PathProbe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Paths of this host that matter to a plan: to the destination, and to each relay that is up.
 *
 * @param targets by the names that they have in an {@link Observation}
 */
public record OwnPaths(Map<String, HostPort> targets) {
  private static final String DESTINATION = "destination";

  /** Time between the connections of a measurement. */
  public static final Duration SPACING = Duration.ofMillis(10);

  /** Connections of a measurement that a running transfer waits for. */
  private static final int FEW = 12;

  /** The others may have lost a packet, which takes a second. */
  private static final int ENOUGH = 8;

  private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(1);

  /**
   * A measurement that takes a few round trips, and at most a second.
   *
   * @param most connections to each target, at most
   */
  public static PathProbe quick(int most) {
    int few = Math.min(most, FEW);
    return new PathProbe(few, SPACING, SHORT_TIMEOUT, Math.min(few, ENOUGH));
  }

  /**
   * Asks the orchestrator for its relays.
   *
   * @param destination null where the path to it does not matter
   * @param allowed relays that may be used, by name
   */
  public static OwnPaths to(
      @Nullable HostPort destination, OrchestratorClient orchestrator, Predicate<String> allowed) {
    Map<String, HostPort> targets = new LinkedHashMap<>();
    if (destination != null) {
      targets.put(DESTINATION, destination);
    }
    for (Relay relay : orchestrator.relays().relays()) {
      if (relay.status() == RelayStatus.UP && allowed.test(relay.name())) {
        targets.put(relay.name(), new HostPort(relay.hop().host(), relay.hop().port()));
      }
    }
    return new OwnPaths(targets);
  }

  /** Number of paths that lead to relays. */
  public int relays() {
    return targets.size() - (targets.containsKey(DESTINATION) ? 1 : 0);
  }

  /** Measures the paths; leaves out those that gave no observation. */
  public List<Observation> measure(PathProbe probe) throws InterruptedException {
    return probe.measure(targets).stream().filter(seen -> seen.sent() > 0).toList();
  }
}
