package io.cascade.studies.multipath;

import io.cascade.command.CommandException;
import io.cascade.lab.process.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cascade reproduce multipath}: what pipes over several paths carry together. */
@Command(
    name = "multipath",
    mixinStandardHelpOptions = true,
    description = {
      "What a stream over several pipes carries between emulated paths, beside each path alone and"
          + " the kernel's MPTCP, also while a path is cut and comes back. Takes 15 minutes a round. Needs"
          + " Linux and root."
    })
public final class ReproduceMultipathVerb implements Callable<Integer> {
  private static final double LEAST_SECONDS = 6;
  private static final int MOST_ROUNDS = 100;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "15",
      description = "That count of each transfer, after 6 that do not (${DEFAULT-VALUE}).")
  private double seconds = 15;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Measure everything so often, one round after the other; medians and ranges are reported"
              + " (${DEFAULT-VALUE}).")
  private int repeat = 1;

  @Option(
      names = "--only",
      paramLabel = "WORDS",
      defaultValue = "",
      description = "Measure the paths alone whose names have these words, such as \"one lossy\".")
  private String only = "";

  @Option(names = "--output", paramLabel = "DIR", description = "Write multipath.md there.")
  private @Nullable Path output;

  @Override
  public Integer call() throws Exception {
    if (!(seconds >= LEAST_SECONDS)) {
      throw new CommandException("--seconds " + seconds + " (expected: 6 or more)");
    }
    if (repeat < 1 || repeat > MOST_ROUNDS) {
      throw new CommandException("--repeat %d (expected: 1 to %d)".formatted(repeat, MOST_ROUNDS));
    }
    var runs = new MultipathCampaign(seconds, repeat, only, spec.commandLine().getErr()).measure();
    if (runs.isEmpty()) {
      throw new CommandException("--only " + only + ": no paths are called so");
    }
    String command =
        "./cascade " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    if (output != null) {
      try {
        new MultipathReport(runs, command, Machine.here().words()).write(output);
      } catch (IOException e) {
        throw new CommandException(output + ": cannot be written (" + e.getMessage() + ")", e);
      }
    }
    return runs.stream().allMatch(run -> run.failure() == null) ? 0 : 1;
  }
}
