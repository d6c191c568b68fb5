package io.cascade.lab;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Emulate networks on this machine: sites as network namespaces, links with delay, rate and"
          + " loss, and relays.",
      "Needs Linux with iproute2, and root or unprivileged user namespaces."
    },
    subcommands = {
      LabUpVerb.class,
      LabStatusVerb.class,
      LabExecVerb.class,
      LabShapeVerb.class,
      LabDownVerb.class,
      LabCheckVerb.class
    })
public final class LabVerb implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "which command? " + String.join(", ", spec.subcommands().keySet()));
  }
}
