package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.command.CommandException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "close",
    mixinStandardHelpOptions = true,
    description = "Close a tunnel: remove its links and routes from its gateways.")
final class TunnelCloseVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "TUNNEL",
      description = "Id of the tunnel, a unique prefix of it, or its name.")
  private String wanted;

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    List<Tunnel> found =
        client.tunnels().tunnels().stream()
            .filter(tunnel ->
                tunnel.tunnelId().toString().startsWith(wanted) || wanted.equals(tunnel.name()))
            .toList();
    if (found.size() != 1) {
      throw new CommandException(
          "%s: %s; fix: see cascade tunnel list"
              .formatted(wanted, found.isEmpty() ? "no such tunnel" : "more than one tunnel"));
    }
    client.closeTunnel(found.getFirst().tunnelId());
    if (output.json()) {
      output.document(found.getFirst());
    } else {
      output.note("tunnel " + found.getFirst().tunnelId() + " is closed");
    }
    return 0;
  }
}
