package io.cascade.testbed.measured;

import io.cascade.api.Json;
import io.cascade.testbed.experiment.JsonLines;
import io.cascade.testbed.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The campaign and its page in a folder. */
public final class MeasuredPaths {
  /** The page's file. */
  public static final String PAGE = MeasuredReport.NAME + ".md";

  private final Path folder;
  private final Path machine;
  private final JsonLines<PathResult> results;

  public MeasuredPaths(Path folder) {
    Path raw = folder.resolve("results");
    this.folder = folder;
    this.machine = raw.resolve(MeasuredReport.NAME + ".machine.json");
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
    Files.createDirectories(machine.getParent());
    Files.writeString(machine, Json.lenient().writeValueAsString(Machine.here()) + "\n");
    List<EmulatedPath> paths = PathGenerator.paths(count, seed);
    return new MeasuredCampaign(paths, repetitions, results, err).measure(parallel);
  }

  /** Writes the page about whatever there is. */
  public void report() throws IOException {
    String conditions =
        Files.exists(machine)
            ? Json.lenient().readValue(Files.readString(machine), Machine.class).words()
            : "";
    new MeasuredReport(results.read(), conditions)
        .page()
        .writeMarkdown(folder, MeasuredReport.NAME);
  }
}
