package io.cascade.testbed.multipath;

import io.cascade.command.Complaint;
import io.cascade.testbed.report.Machine;
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
          + " the kernel's MPTCP, also while a path is cut and comes back. Takes 15 minutes. Needs"
          + " Linux and root."
    })
public final class ReproduceMultipathVerb implements Callable<Integer> {
  private static final double LEAST_SECONDS = 6;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "15",
      description = "That count of each transfer, after 6 that do not (${DEFAULT-VALUE}).")
  private double seconds = 15;

  @Option(names = "--output", paramLabel = "DIR", description = "Write multipath.md there.")
  private @Nullable Path output;

  @Override
  public Integer call() throws Exception {
    if (!(seconds >= LEAST_SECONDS)) {
      throw new Complaint("--seconds " + seconds + " (expected: 6 or more)");
    }
    var runs = new MultipathCampaign(seconds, spec.commandLine().getErr()).measure();
    String command =
        "./cascade " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    if (output != null) {
      try {
        new MultipathReport(runs, command, Machine.here().words()).write(output);
      } catch (IOException e) {
        throw new Complaint(output + ": cannot be written (" + e.getMessage() + ")", e);
      }
    }
    return runs.stream().allMatch(run -> run.failure() == null) ? 0 : 1;
  }
}
