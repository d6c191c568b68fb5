package io.cascade.studies.report;

import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cascade experiment FILE}: measures what the file describes and reports on it. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = {
      "Measures what a file describes, over emulated paths and with real relays, and writes a"
          + " report with charts.",
      "Results are appended as they come: an interrupted experiment resumes. Needs Linux and root."
    })
public final class ExperimentVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "What to run: YAML, as in studies/experiments.")
  private List<Path> files;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where results and report go. Default: results/NAME, of several files results.")
  private @Nullable Path output;

  @Option(names = "--check", description = "Only read the file and say what it would run.")
  private boolean check;

  @Option(names = "--fresh", description = "Forget earlier results instead of resuming.")
  private boolean fresh;

  @Mixin private CampaignOptions options = new CampaignOptions();

  @Override
  public Integer call() throws Exception {
    ExperimentFile.Wish wish = options.wish();
    List<Experiment> experiments =
        files.stream().map(file -> ExperimentFile.read(file, wish)).toList();
    if (check) {
      PrintWriter out = spec.commandLine().getOut();
      experiments.forEach(experiment -> experiment.runs().forEach(run -> out.println(run.key())));
      out.flush();
      return 0;
    }
    ReportFolder folder = new ReportFolder(output != null ? output : usualFolder(experiments));
    if (fresh) {
      for (Experiment experiment : experiments) {
        folder.forget(experiment);
      }
    }
    Campaign campaign = options.campaign(experiments, folder);
    boolean complete = options.measure(campaign, spec.commandLine().getErr());
    campaign.report();
    return complete ? 0 : 1;
  }

  private static Path usualFolder(List<Experiment> experiments) {
    Path results = Path.of("results");
    return experiments.size() == 1 ? results.resolve(experiments.getFirst().name()) : results;
  }
}
