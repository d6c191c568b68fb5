package io.cascade.client.verbs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "tunnel",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Manage tunnels between gateways that report to the orchestrator.",
    footer = {
      "",
      "Example: cascade tunnel open --from gw1 --to gw2 --from-prefix 10.1.0.0/16 \\",
      "           --to-prefix 10.2.0.0/16"
    },
    subcommands = {TunnelOpenVerb.class, TunnelListVerb.class, TunnelCloseVerb.class})
public final class TunnelVerb implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? (open, list, close)");
  }
}
