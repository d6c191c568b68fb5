package io.cascade.lab;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "exec",
    mixinStandardHelpOptions = true,
    description = {
      "Run a command at a site.",
      "Sites' names are host names there; CASCADE_ORCHESTRATOR and CASCADE_TOKEN are set. The exit"
          + " code is the command's."
    })
final class LabExecVerb implements Callable<Integer> {
  @Mixin private LabOption which = new LabOption();

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "0", paramLabel = "SITE")
  private String site;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND")
  private List<String> command = List.of();

  /** Treats arguments after the site as parts of the command, even if they look like options. */
  @Spec
  void setSpec(CommandSpec spec) {
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws InterruptedException {
    // Accepts the separator of ssh and docker exec, although it is not needed here.
    if (command.size() > 1 && command.getFirst().equals("--")) {
      command = command.subList(1, command.size());
    }
    try {
      return which.lab().site(site).process(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new CommandException("cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }
}
