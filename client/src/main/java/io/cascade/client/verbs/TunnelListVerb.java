package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelList;
import io.cascade.client.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List open tunnels and their state.")
final class TunnelListVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    TunnelList tunnels = orchestrator.client().tunnels();
    Table table = new Table("tunnel", "state", "gateways", "from", "to", "?name");
    for (Tunnel tunnel : tunnels.tunnels()) {
      table.row(
          tunnel.tunnelId(),
          tunnel.words(),
          String.join(" - ", tunnel.gateways()),
          String.join(" ", tunnel.fromPrefixes()),
          String.join(" ", tunnel.toPrefixes()),
          Output.orDash(tunnel.name()));
    }
    output.list(
        tunnels,
        table,
        "no tunnel is open. Open one: ./cascade tunnel open --from GATEWAY --to GATEWAY");
    return 0;
  }
}
