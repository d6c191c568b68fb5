package io.cascade.gateway.tunnel;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.IdentityFile;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.CommandException;
import io.cascade.gateway.reporting.OrchestratorOptions;
import io.cascade.gateway.reporting.ReportLoop;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the orchestrator to which a gateway reports. */
final class GatewayReportOptions {
  @Mixin private OrchestratorOptions orchestrator = new OrchestratorOptions();

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description =
          "Keep the key by which the orchestrator recognises the gateway in this file, created if"
              + " missing (default: gateways/NAME.identity in $XDG_STATE_HOME/cascade or"
              + " ~/.local/state/cascade).")
  private @Nullable Path identity;

  @Option(
      names = "--advertise",
      paramLabel = "ADDRESS:PORT",
      description =
          "Tell the orchestrator that other gateways reach this one here (default: the address of"
              + " --listen).")
  private @Nullable String advertise;

  boolean isGiven() {
    return orchestrator.isGiven();
  }

  /** Opens and locks the gateway's key. */
  IdentityFile identity(String name) {
    return IdentityFile.start(identity == null ? IdentityFile.usual("gateways", name) : identity);
  }

  /**
   * Starts to report.
   *
   * @throws CommandException where other gateways could not reach the address that it would report
   */
  ReportLoop start(Gateway gateway, IdentityFile file) {
    OrchestratorClient client = orchestrator.client();
    Reporter reporter =
        new Reporter(
            gateway,
            client,
            OrchestratorOptions.signer(file),
            OrchestratorOptions.version(),
            listen(gateway.settings().listen()));
    return ReportLoop.start(client.address(), reporter::report, reporter::unheard);
  }

  /**
   * Address at which other gateways reach this one; null where it does not listen.
   *
   * @throws CommandException where it cannot be determined
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
          "--listen has no address that other gateways can dial; fix: give one, or --advertise"
              + " ADDRESS:PORT");
    }
    return new Endpoint(listen.getAddress().getHostAddress(), listen.getPort());
  }
}
