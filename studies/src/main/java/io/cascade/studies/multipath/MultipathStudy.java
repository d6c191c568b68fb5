package io.cascade.studies.multipath;

import io.cascade.studies.study.MachineLoad;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Repetition;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Throughput of pipes over several paths together. */
@Command(
    name = "multipath",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what a stream over several pipes carries between emulated paths, beside each path"
          + " alone and the kernel's MPTCP, also while a path is cut and comes back.",
      "Takes 15 minutes a repetition, and writes a page and every result. Results that exist are"
          + " not measured again. Needs Linux and root.",
      "",
      "Example: cascade reproduce multipath --repetitions 2 --out /tmp/multipath"
    })
public final class MultipathStudy extends Study<Repetition<MultipathCell>, MultipathResult> {
  private static final String NAME = "multipath";
  private static final double LEAST_SECONDS = 6;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "15",
      description =
          "Count this many seconds of each transfer, after 6 that are not counted (default:"
              + " ${DEFAULT-VALUE}).")
  private double seconds = 15;

  @Option(
      names = "--only",
      paramLabel = "WORDS",
      defaultValue = "",
      description =
          "Measure only the paths whose names contain these words, such as \"one lossy\".")
  private String only = "";

  public MultipathStudy() {
    super(NAME, 1, MultipathResult.class, MultipathResult::key);
  }

  @Override
  protected void check() {
    if (!(seconds >= LEAST_SECONDS)) {
      throw refuse("--seconds " + seconds + " (expected: 6 or more)");
    }
    if (tasks().isEmpty()) {
      throw refuse("--only " + only + ": no paths are called so");
    }
  }

  @Override
  protected List<Repetition<MultipathCell>> tasks() {
    return Repetition.interleaved(
        MultipathCell.all().stream().filter(cell -> cell.what().contains(only)).toList(),
        repetitions());
  }

  @Override
  public String key(Repetition<MultipathCell> task) {
    return MultipathResult.key(task.cell(), task.number(), seconds);
  }

  @Override
  public boolean isAnswered(Repetition<MultipathCell> task, MultipathResult result) {
    return result.isWhole();
  }

  @Override
  public Bench<Repetition<MultipathCell>, MultipathResult> open(int number) throws Exception {
    SegmentNetwork network = SegmentNetwork.up("m" + ProcessHandle.current().pid());
    MultipathTrial trial = new MultipathTrial(network, seconds);
    return Measurement.on(network, task -> new MultipathResult(key(task), trial.run(task.cell())));
  }

  @Override
  public MultipathResult failed(Repetition<MultipathCell> task, Exception failure) {
    MultipathCell cell = task.cell();
    return new MultipathResult(
        key(task),
        List.of(
            new PathRun(
                cell.what(),
                cell.paths(),
                cell.way(),
                seconds,
                0,
                0,
                MachineLoad.oneMinute(),
                Measurement.why(failure))));
  }

  @Override
  public String words(MultipathResult result) {
    return result.runs().stream().map(MultipathStudy::words).collect(Collectors.joining("; "));
  }

  private static String words(PathRun run) {
    return run.failure() == null
        ? String.format(
            Locale.ROOT,
            "%.2f Mbit/s, at least %.2f over 5 s",
            run.bitsPerSecond() / 1e6,
            run.worstFiveSeconds() / 1e6)
        : run.failure();
  }

  @Override
  protected Page page() throws IOException {
    List<PathRun> runs =
        results().read().stream().flatMap(result -> result.runs().stream()).toList();
    return new MultipathReport(runs, folder().machine()).page();
  }
}
