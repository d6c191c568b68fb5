package io.cascade.studies.reproduce;

import io.cascade.studies.splitting.SplitCampaign;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "splitter-combiner",
    mixinStandardHelpOptions = true,
    description = {
      "What one TCP connection gets over several paths of 1.544 Mbit/s: by one of them, in turn, with"
          + " DEF and DEF+, and between a pair of scap.",
      "Measures for ten minutes, with --full --pipes 2,3 --repetitions 5 for half a day, over emulated paths with real scap"
          + " processes, and writes a page. What was measured already is not repeated. Needs Linux"
          + " and root.",
      "",
      "Example: cascade reproduce splitter-combiner --out /tmp/splitter"
    })
final class ReproduceSplitterCombinerVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--full",
      description =
          "CUBIC and Reno, each with and without SACK and timestamps; otherwise CUBIC with both and"
              + " Reno with neither.")
  private boolean full;

  @Option(
      names = "--pipes",
      paramLabel = "N",
      split = ",",
      defaultValue = "2",
      description = "Paths that there are, 2 or 3; also 2,3 (${DEFAULT-VALUE}).")
  private List<Integer> pipes = List.of(2);

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each cell (${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "40",
      description = "That are counted of each run, after 10 that are not (${DEFAULT-VALUE}).")
  private double seconds = 40;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "4",
      description = "Networks at the same time (${DEFAULT-VALUE}).")
  private int parallel = 4;

  @Option(
      names = "--deaths",
      paramLabel = "N",
      defaultValue = "0",
      description = "Have pipes die so often, in each way, instead of measuring cells.")
  private int deaths;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws Exception {
    check("--repetitions", repetitions);
    check("--parallel", parallel);
    check("--seconds", seconds);
    if (!List.of(2, 3).containsAll(pipes)) {
      throw new ParameterException(
          spec.commandLine(), "--pipes " + pipes + " (expected: 2, 3 or 2,3)");
    }
    SplitCampaign campaign = new SplitCampaign(folder.path(), seconds, spec.commandLine().getErr());
    try {
      boolean complete = true;
      if (!reportOnly && deaths > 0) {
        campaign.die(deaths);
      } else if (!reportOnly) {
        complete = campaign.measure(full, pipes, repetitions, parallel);
      }
      campaign.report();
      spec.commandLine()
          .getOut()
          .println("written: " + folder.path().resolve(SplitCampaign.NAME + ".md"));
      spec.commandLine().getOut().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }

  private void check(String option, double value) {
    if (!(value >= 1)) {
      throw new ParameterException(
          spec.commandLine(), option + " " + value + " (expected: 1 or more)");
    }
  }
}
