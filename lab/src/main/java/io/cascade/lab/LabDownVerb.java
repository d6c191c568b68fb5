package io.cascade.lab;

import io.cascade.command.CommandException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description =
        "End everything that runs in a lab and remove it, and what killed labs left behind.")
final class LabDownVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "Labs to remove, if several are up.")
  private List<String> names = List.of();

  @Option(names = "--lab", paramLabel = "NAME", description = "Same as NAME, as in other verbs.")
  private List<String> alsoNamed = List.of();

  @Option(names = "--all", description = "Remove all labs of this user.")
  private boolean all;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    int dead = DeadLabs.remove();
    if (dead > 0) {
      out.printf("removed what %d killed %s left%n", dead, dead == 1 ? "lab" : "labs");
      out.flush();
    }
    List<String> up = Lab.names();
    List<String> wanted =
        all ? up : Stream.concat(names.stream(), alsoNamed.stream()).distinct().toList();
    if (wanted.isEmpty() && !all) {
      if (up.isEmpty()) {
        if (dead == 0) {
          out.println("no lab is up");
          out.flush();
        }
        return 0;
      }
      if (up.size() > 1) {
        throw new CommandException(
            "more than one lab is up: name those to take down, or --all (%s)"
                .formatted(String.join(", ", up)));
      }
      wanted = up;
    }
    for (String name : wanted) {
      Lab.attach(name).close();
      out.println("lab " + name + " is down");
      out.flush();
    }
    return 0;
  }
}
