package io.cascade.client.verbs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "key",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Manage the API keys of the orchestrator's callers: people, programs and relays.",
    footer = {
      "",
      "Examples:",
      "  cascade key create alice --role client --expires 90d",
      "  cascade key create fra --role relay      # for CASCADE_TOKEN of the relay fra"
    },
    subcommands = {KeyCreateVerb.class, KeyListVerb.class, KeyRevokeVerb.class})
public final class KeyVerb implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? (create, list, revoke)");
  }
}
