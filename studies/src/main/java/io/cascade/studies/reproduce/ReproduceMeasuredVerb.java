package io.cascade.studies.reproduce;

import io.cascade.studies.measured.MeasuredPaths;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "measured",
    mixinStandardHelpOptions = true,
    description = {
      "What send did on many emulated paths of which it was told nothing, beside every fixed way.",
      "Measures for about three minutes a path and writes a page, charts and every result. What was"
          + " measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce measured --paths 40 --parallel 2 --out /tmp/measured"
    })
final class ReproduceMeasuredVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--paths",
      paramLabel = "N",
      defaultValue = "120",
      description = "How many; each 40 cover all factors evenly (${DEFAULT-VALUE}).")
  private int paths = 120;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "2",
      description = "Transfers over each way (${DEFAULT-VALUE}).")
  private int repetitions = 2;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed draws the same paths (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "2",
      description = "Paths at the same time (${DEFAULT-VALUE}). Their files are sent in turns.")
  private int parallel = 2;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    LeastOne.check(spec, "--paths", paths);
    LeastOne.check(spec, "--repetitions", repetitions);
    LeastOne.check(spec, "--parallel", parallel);
    MeasuredPaths campaign = new MeasuredPaths(folder.path());
    try {
      boolean complete =
          reportOnly
              || campaign.measure(paths, repetitions, seed, parallel, spec.commandLine().getErr());
      campaign.report();
      spec.commandLine().getOut().println("written: " + folder.path().resolve(MeasuredPaths.PAGE));
      spec.commandLine().getOut().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }
}
