package io.cascade.studies.reproduce;

import io.cascade.studies.beside.BesideStudy;
import io.cascade.studies.coded.CodedLabStudy;
import io.cascade.studies.crowd.ReproduceControlPlaneVerb;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import io.cascade.studies.measured.MeasuredStudy;
import io.cascade.studies.multipath.MultipathStudy;
import io.cascade.studies.report.Campaign;
import io.cascade.studies.report.CampaignOptions;
import io.cascade.studies.report.ReportFolder;
import io.cascade.studies.rivals.RivalStudy;
import io.cascade.studies.sharing.SharingStudy;
import io.cascade.studies.splitting.SplitStudy;
import io.cascade.studies.study.Checkout;
import io.cascade.studies.study.PageFolder;
import io.cascade.studies.survival.SurvivalVerb;
import io.cascade.studies.transfers.TransferStudy;
import io.cascade.studies.tunnel.TunnelStudy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "The published figures, held against the model and against measurement.",
      "Measures for a few hours, over emulated paths and with real relays, and writes"
          + " pages and charts. What was measured already is not repeated. Needs Linux and root.",
      "reproduce topologies needs neither: it computes on published measurements.",
      "reproduce fairness measures what a relay's hop takes from a connection beside it.",
      "reproduce sharing measures what send takes from a connection of somebody else.",
      "reproduce coded-hops simulates coded hops in virtual time, and needs neither.",
      "reproduce coded-lab measures them in a lab, beside TCP.",
      "reproduce measured holds send against every fixed way, on what it measures itself.",
      "reproduce rivals holds send against other tools, plain TCP connections and the link.",
      "reproduce transfers holds send against what copies files over ssh, and kills its ends.",
      "reproduce running-stream measures what tests of a link do to a stream that uses it.",
      "reproduce splitter-combiner measures one connection over several paths, split below TCP.",
      "reproduce tcp-nc-tunnel measures connections through gateways over lossy links.",
      "reproduce control-plane loads an orchestrator with a thousand simulated relays."
    },
    subcommands = {
      ReproduceTopologiesVerb.class,
      ReproduceFairnessVerb.class,
      SharingStudy.class,
      ReproduceCodedHopsVerb.class,
      CodedLabStudy.class,
      MeasuredStudy.class,
      RivalStudy.class,
      TransferStudy.class,
      SplitStudy.class,
      TunnelStudy.class,
      SurvivalVerb.class,
      MultipathStudy.class,
      BesideStudy.class,
      ReproduceControlPlaneVerb.class
    })
public final class ReproduceVerb implements Callable<Integer> {
  /** The pages in the order of the index. */
  private static final List<String> NAMES =
      List.of("cascaded-tcp", "connection-splitting", "beyond", "hops", "report-card");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(names = "--model-only", description = "Compute only; measure nothing.")
  private boolean modelOnly;

  @Mixin private CampaignOptions options = new CampaignOptions();
  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    try {
      model();
      return modelOnly || measured() ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }

  private void model() throws IOException {
    ModelReport report = new ModelReport();
    report.writeTo(folder.path());
    PrintWriter print = spec.commandLine().getOut();
    report.tally().forEach((verdict, count) -> print.printf("%4d %s%n", count, verdict.words()));
    print.println("written: " + folder.path().resolve(ModelReport.PAGE));
    print.flush();
  }

  private boolean measured() throws IOException, InterruptedException {
    Path files = Checkout.experiments();
    ExperimentFile.Wish wish = options.wish();
    List<Experiment> experiments =
        NAMES.stream()
            .map(name -> ExperimentFile.read(files.resolve(name + ".yaml"), wish))
            .toList();
    Campaign campaign = options.campaign(experiments, new ReportFolder(folder.path()));
    boolean complete = options.measure(campaign, spec.commandLine().getErr());
    campaign.report();
    spec.commandLine().getOut().println("written: " + folder.path().resolve("README.md"));
    spec.commandLine().getOut().flush();
    return complete;
  }
}
