package io.cascade.gateway.scap;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "scap",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Split TCP connections over several uplinks packet by packet, transparently to the hosts."
    },
    subcommands = {
      ScapUpVerb.class,
      ScapPipesVerb.class,
      ScapConnectionsVerb.class,
      ScapPolicyVerb.class
    })
public final class ScapVerb implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "which command? (up, pipes, connections or policy)");
  }
}
