package io.cascade.gateway.tunnel;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Carry IP packets between networks over coded sessions, transparently to the hosts."
    },
    subcommands = {GatewayUpVerb.class, GatewayStatusVerb.class})
public final class GatewayVerb implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? (up, status)");
  }
}
