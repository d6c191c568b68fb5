package io.cascade;

import io.cascade.command.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A verb whose jar is not installed: archives have no studies, and images have no lab either. */
@Command(hidden = true)
final class AbsentVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // Arguments after the verb cause no error of their own.
  @Unmatched
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    throw new CommandException(
        "%1$s is not installed here: run ./cascade %1$s in a checkout of the sources"
            .formatted(spec.name()));
  }
}
