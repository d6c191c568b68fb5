package io.cascade.studies.reproduce;

import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import io.cascade.studies.report.Campaign;
import io.cascade.studies.report.CampaignOptions;
import io.cascade.studies.report.ReportFolder;
import io.cascade.studies.study.Checkout;
import io.cascade.studies.study.PageFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "fairness",
    mixinStandardHelpOptions = true,
    description = {
      "What a relay's hop with Reno, CUBIC or BBR takes from one other connection on the same"
          + " bottleneck, and what the hop gains by it.",
      "Measures for about a quarter of an hour, over emulated paths and with real relays, and"
          + " writes a page. What was measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce fairness --out /tmp/fairness"
    })
final class ReproduceFairnessVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private CampaignOptions options = new CampaignOptions();
  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    Experiment experiment =
        ExperimentFile.read(Checkout.experiments().resolve("fairness.yaml"), options.wish());
    ReportFolder report = new ReportFolder(folder.path());
    Campaign campaign = options.campaign(List.of(experiment), report);
    try {
      boolean complete = options.measure(campaign, spec.commandLine().getErr());
      report.writeFairness(experiment);
      PrintWriter print = spec.commandLine().getOut();
      print.println("written: " + folder.path().resolve(experiment.name() + ".md"));
      print.flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }
}
