package io.cascade.studies.reproduce;

import io.cascade.studies.bench.BenchStudy;
import io.cascade.studies.beside.BesideStudy;
import io.cascade.studies.coded.CodedHopsStudy;
import io.cascade.studies.coded.CodedLabStudy;
import io.cascade.studies.crowd.ControlPlaneStudy;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.measured.MeasuredStudy;
import io.cascade.studies.multipath.MultipathStudy;
import io.cascade.studies.report.Campaign;
import io.cascade.studies.report.Evidence;
import io.cascade.studies.report.ExperimentIndex;
import io.cascade.studies.report.FairnessStudy;
import io.cascade.studies.rivals.RivalStudy;
import io.cascade.studies.sharing.SharingStudy;
import io.cascade.studies.splitting.SplitStudy;
import io.cascade.studies.study.Checkout;
import io.cascade.studies.study.Page;
import io.cascade.studies.survival.SurvivalStudy;
import io.cascade.studies.topologies.TopologiesStudy;
import io.cascade.studies.transfers.TransferStudy;
import io.cascade.studies.tunnel.TunnelStudy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Experiments described by files: those of the repository, or others. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "Reproduce the published figures and compare them with measurements.",
      "Takes a few hours, over emulated paths and with real relays, and writes pages and charts."
          + " Results that exist are not measured again. Needs Linux and root.",
      "With a FILE it measures what the file describes instead, such as those in"
          + " studies/experiments."
    },
    subcommands = {
      ModelStudy.class,
      TopologiesStudy.class,
      FairnessStudy.class,
      SharingStudy.class,
      CodedHopsStudy.class,
      CodedLabStudy.class,
      MeasuredStudy.class,
      RivalStudy.class,
      TransferStudy.class,
      SplitStudy.class,
      TunnelStudy.class,
      SurvivalStudy.class,
      MultipathStudy.class,
      BesideStudy.class,
      ControlPlaneStudy.class,
      BenchStudy.class
    })
public final class ReproduceVerb extends Campaign {
  /** The pages in the order of the index. */
  private static final List<String> NAMES =
      List.of("cascaded-tcp", "connection-splitting", "beyond", "hops", "report-card");

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "YAML files that describe what to run instead, such as those in studies/experiments. One"
              + " is written to results/NAME, several to results, unless --out is given.")
  private List<Path> files = List.of();

  @Option(names = "--check", description = "Only read the files and print what they would run.")
  private boolean check;

  public ReproduceVerb() {
    super("README");
  }

  @Override
  protected List<Path> files() {
    return files.isEmpty()
        ? NAMES.stream().map(name -> Checkout.experiments().resolve(name + ".yaml")).toList()
        : files;
  }

  @Override
  protected Path usualFolder() {
    Path results = Path.of("results");
    return switch (files.size()) {
      case 0 -> super.usualFolder();
      case 1 -> results.resolve(experiments().getFirst().name());
      default -> results;
    };
  }

  @Override
  public Integer call() throws Exception {
    if (check) {
      check();
      experiments().forEach(one -> one.runs().forEach(run -> out().println(run.key())));
      out().flush();
      return 0;
    }
    return super.call();
  }

  @Override
  protected Page page() throws IOException {
    List<Evidence> all = new ArrayList<>();
    for (Experiment experiment : experiments()) {
      all.add(evidence(experiment));
    }
    return new ExperimentIndex(folder().path(), all).write();
  }
}
