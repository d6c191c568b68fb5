package io.cascade.client.rendezvous;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.client.transfer.connection.Connections;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Finds the relay at which two ends meet among those of an orchestrator. */
public final class NearestRelay {
  /** Most relays that are tried. */
  private static final int MOST_TRIED = 16;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private NearestRelay() {}

  /**
   * Finds the rendezvous port that answers first.
   *
   * @return empty where no relay of the orchestrator joins two ends
   * @throws RendezvousFailed where none of those that do answers; the message names the failure of
   *     one
   */
  public static Optional<HostPort> find(OrchestratorClient orchestrator)
      throws RendezvousFailed, InterruptedException {
    List<Endpoint> offered =
        orchestrator.relays().relays().stream()
            .filter(relay -> relay.status() == RelayStatus.UP)
            .map(Relay::rendezvous)
            .filter(Objects::nonNull)
            .limit(MOST_TRIED)
            .toList();
    if (offered.isEmpty()) {
      return Optional.empty();
    }
    try (ExecutorService trying = Executors.newVirtualThreadPerTaskExecutor()) {
      return Optional.of(trying.invokeAny(offered.stream().map(NearestRelay::reaching).toList()));
    } catch (ExecutionException e) {
      Throwable why = Objects.requireNonNull(e.getCause());
      throw new RendezvousFailed(String.valueOf(why.getMessage()), null, why);
    }
  }

  private static Callable<HostPort> reaching(Endpoint endpoint) {
    HostPort at = new HostPort(endpoint.host(), endpoint.port());
    return () -> {
      try (SocketChannel _ = Connections.connect(at, PATIENCE)) {
        return at;
      }
    };
  }
}
