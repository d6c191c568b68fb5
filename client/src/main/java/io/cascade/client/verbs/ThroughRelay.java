package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.command.CommandException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The relay at which two ends meet, as its user or the orchestrator names it. */
final class ThroughRelay {
  /** Where relays join ends, unless their operators choose another port. */
  private static final int PORT = 7414;

  /** Relays that are tried, at most. */
  private static final int MOST_TRIED = 16;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private ThroughRelay() {}

  /** {@code den.example.org}, {@code 192.0.2.7:7000}, {@code [::1]}. */
  static final class Converter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String value) {
      boolean hasPort = !value.endsWith("]") && value.indexOf(':') >= 0;
      try {
        return HostPort.parse(hasPort ? value : value + ":" + PORT);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /**
   * The one of the orchestrator's relays that answers first.
   *
   * @throws CommandException where none joins ends, or none answers
   */
  static HostPort nearest(OrchestratorClient orchestrator) throws InterruptedException {
    List<Endpoint> offered =
        orchestrator.relays().relays().stream()
            .filter(relay -> relay.status() == RelayStatus.UP)
            .map(Relay::rendezvous)
            .filter(Objects::nonNull)
            .limit(MOST_TRIED)
            .toList();
    if (offered.isEmpty()) {
      throw new CommandException(
          "--through auto: none of the orchestrator's relays joins two ends; fix: start one with"
              + " ./cascade relay --rendezvous "
              + PORT
              + ", or name another: --through HOST:PORT");
    }
    try (ExecutorService trying = Executors.newVirtualThreadPerTaskExecutor()) {
      return trying.invokeAny(offered.stream().map(ThroughRelay::reaching).toList());
    } catch (ExecutionException e) {
      throw new CommandException(
          "--through auto: none of the orchestrator's relays answers at its rendezvous port: "
              + Objects.requireNonNull(e.getCause()).getMessage(),
          e);
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
