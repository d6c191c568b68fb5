package io.cascade.client.doctor;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs all checks. */
public final class Doctor {
  private Doctor() {}

  /**
   * Checks this host and its orchestrator, and for ten seconds the path to a peer.
   *
   * @param peer address at which another host {@link Answering answers}; null for none
   * @param timeOfDay of this host
   */
  public static List<Finding> examine(
      OrchestratorClient client, @Nullable HostPort peer, Supplier<Instant> timeOfDay)
      throws InterruptedException {
    HostChecks host = HostChecks.ofThisHost();
    List<Finding> found = new ArrayList<>(host.limits());
    found.add(host.congestionControls());
    found.add(host.memory());
    found.addAll(host.ports());
    found.addAll(new OrchestratorChecks(client, timeOfDay).all());
    if (peer != null) {
      found.addAll(new PeerChecks(peer, () -> timeOfDay.get().toEpochMilli()).all());
    }
    return found;
  }
}
