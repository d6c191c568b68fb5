package io.cascade.studies.rivals;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The benchmark and its page in a folder. */
public final class Rivals {
  /** The page's file. */
  public static final String PAGE = RivalReport.NAME + ".md";

  /** Files that go over the demo's path. */
  private static final List<Long> DEMO_BYTES = List.of(20_000_000L, 10_000_000L);

  private final Path folder;
  private final MachineNote machine;
  private final JsonLines<RivalResult> results;

  public Rivals(Path folder) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, RivalReport.NAME);
    this.results =
        new JsonLines<>(
            raw.resolve(RivalReport.NAME + ".jsonl"), RivalResult.class, RivalResult::key);
  }

  /**
   * Measures what has not been measured yet.
   *
   * @param demo whether the demo's path is among it
   * @param drawn how many are drawn, 0 or more
   * @return whether nothing is left
   */
  public boolean measure(boolean demo, int drawn, int repetitions, long seed, PrintWriter err)
      throws InterruptedException, IOException {
    machine.write();
    List<RivalPath> paths = new ArrayList<>();
    if (demo) {
      DEMO_BYTES.forEach(bytes -> paths.add(RivalPath.demo(bytes)));
    }
    paths.addAll(PathDraw.paths(drawn, seed));
    return new RivalCampaign(paths, repetitions, Contender.atHand(), results, err).measure();
  }

  /** Writes the page about whatever there is, and prints it. */
  public void report(PrintWriter out) throws IOException {
    RivalReport report = new RivalReport(results.read(), machine.words());
    report.page().writeMarkdown(folder, RivalReport.NAME);
    report.print(out);
  }
}
