package io.cascade.studies.reproduce;

import io.cascade.studies.coded.CodedLabPage;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "coded-lab",
    mixinStandardHelpOptions = true,
    description = {
      "Coded sessions between processes over emulated links, beside the kernel's TCP: what they"
          + " carry alone, what they do to the round trip, and their share of a bottleneck.",
      "Measures for about ten minutes (--cells all: some hours) and writes a page. What was"
          + " measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce coded-lab --cells gate --runs 5 --out /tmp/coded"
    })
final class ReproduceCodedLabVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--cells",
      paramLabel = "WHICH",
      defaultValue = "some",
      description =
          "some, gate (beside TCP), alone, all, or loopback, without links: what the code costs"
              + " (${DEFAULT-VALUE}).")
  private String cells = "some";

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each cell (${DEFAULT-VALUE}).")
  private int runs = 1;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "3",
      description = "Labs at the same time (${DEFAULT-VALUE}). Traffic waits for the processors.")
  private int parallel = 3;

  @Option(
      names = "--megabits",
      paramLabel = "RATE",
      description = "Only cells of this rate: 10 or 100. Those of 10 Mbit/s bear company.")
  private @Nullable Integer megabits;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  private boolean measure(CodedLabPage page) throws IOException, InterruptedException {
    if (cells.equals("loopback")) {
      page.measureLoopback(runs, spec.commandLine().getErr());
      return true;
    }
    return page.measure(cells, megabits, runs, parallel, spec.commandLine().getErr());
  }

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    if (runs < 1 || parallel < 1) {
      throw new ParameterException(spec.commandLine(), "--runs and --parallel: give 1 or more");
    }
    CodedLabPage page = new CodedLabPage(folder.path());
    try {
      boolean complete = reportOnly || measure(page);
      page.write();
      spec.commandLine().getOut().println("written: " + folder.path().resolve(CodedLabPage.PAGE));
      spec.commandLine().getOut().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }
}
