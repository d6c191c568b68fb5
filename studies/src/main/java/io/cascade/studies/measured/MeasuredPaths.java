package io.cascade.studies.measured;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The campaign and its page in a folder. */
public final class MeasuredPaths {
  /** The page's file. */
  public static final String PAGE = MeasuredReport.NAME + ".md";

  private final Path folder;
  private final MachineNote machine;
  private final JsonLines<PathResult> results;

  public MeasuredPaths(Path folder) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, MeasuredReport.NAME);
    this.results =
        new JsonLines<>(
            raw.resolve(MeasuredReport.NAME + ".jsonl"), PathResult.class, PathResult::key);
  }

  /**
   * Measures what has not been measured yet.
   *
   * @return whether nothing is left
   */
  public boolean measure(int count, int repetitions, long seed, int parallel, PrintWriter err)
      throws InterruptedException, IOException {
    machine.write();
    List<EmulatedPath> paths = PathGenerator.paths(count, seed);
    return new MeasuredCampaign(paths, repetitions, results, err).measure(parallel);
  }

  /** Writes the page about whatever there is. */
  public void report() throws IOException {
    new MeasuredReport(results.read(), machine.words())
        .page()
        .writeMarkdown(folder, MeasuredReport.NAME);
  }
}
