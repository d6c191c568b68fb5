package io.cascade.gateway.tunnel;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.CommandException;
import io.cascade.command.StateHome;
import io.cascade.relay.identity.IdentityFile;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the orchestrator that a gateway reports to. */
final class ReportOptions {
  private static final int SEQUENCE_BITS = 32;

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      description =
          "Orchestrator to report to, such as http://HOST:7400, and to take tunnels from. Default:"
              + " none.")
  private @Nullable URI orchestrator;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The orchestrator's bearer token. Others can read command lines: CASCADE_TOKEN is safer.")
  private @Nullable String token;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description =
          "The gateway's key, by which the orchestrator knows it; made where missing. Default:"
              + " gateways/NAME.identity in $XDG_STATE_HOME/cascade or ~/.local/state/cascade.")
  private @Nullable Path identity;

  @Option(
      names = "--advertise",
      paramLabel = "ADDRESS:PORT",
      description =
          "Where other gateways reach it, for the orchestrator. Default: the address of --listen.")
  private @Nullable String advertise;

  boolean isGiven() {
    return orchestrator != null;
  }

  /** Takes the gateway's key. */
  IdentityFile identity(String name) {
    Path file =
        identity == null
            ? StateHome.cascade().resolve("gateways").resolve(name + ".identity")
            : identity;
    return IdentityFile.start(file);
  }

  /**
   * Begins to report.
   *
   * @throws CommandException where others could not reach what it would report
   */
  Reporter start(Gateway gateway, IdentityFile file) {
    URI at = orchestrator;
    if (at == null) {
      throw new IllegalStateException("no orchestrator");
    }
    long firstSequence = file.generation() << SEQUENCE_BITS; // Every start is after all before.
    Reporter reporter =
        new Reporter(
            gateway,
            new OrchestratorClient(at, token),
            new RelaySigner(file.key(), file.generation(), firstSequence),
            version(),
            listen(gateway.settings().listen()));
    reporter.start();
    return reporter;
  }

  private static String version() {
    String version = ReportOptions.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  /**
   * Address at which others reach it; null where it does not listen.
   *
   * @throws CommandException where that cannot be told
   */
  @Nullable Endpoint listen(@Nullable InetSocketAddress listen) {
    if (advertise != null) {
      try {
        InetSocketAddress told = LinkText.socket(advertise);
        if (!told.getAddress().isAnyLocalAddress()) {
          return new Endpoint(told.getAddress().getHostAddress(), told.getPort());
        }
      } catch (IllegalArgumentException e) {
        throw new CommandException("--advertise " + e.getMessage(), e);
      }
    }
    if (listen == null) {
      return null;
    }
    if (listen.getAddress().isAnyLocalAddress()) {
      throw new CommandException(
          "--listen has no address that others could dial: give one, or --advertise ADDRESS:PORT");
    }
    return new Endpoint(listen.getAddress().getHostAddress(), listen.getPort());
  }
}
