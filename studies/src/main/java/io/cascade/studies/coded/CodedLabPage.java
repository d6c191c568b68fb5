package io.cascade.studies.coded;

import io.cascade.command.CommandException;
import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The campaign in the lab and its page, in a folder. */
public final class CodedLabPage {
  /** The page's file. */
  public static final String PAGE = "coded-lab.md";

  private static final CodedLab.Length ALONE =
      new CodedLab.Length(Duration.ofSeconds(10), Duration.ofSeconds(20));
  private static final CodedLab.Length SHARED =
      new CodedLab.Length(Duration.ofSeconds(15), Duration.ofSeconds(45));

  private final Path folder;
  private final MachineNote machine;
  private final Path trace;
  private final JsonLines<LabRun> results;
  private final JsonLines<LoopbackRun> loopback;

  public CodedLabPage(Path folder) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, "coded-lab");
    this.trace = raw.resolve("coded-lab.trace");
    this.loopback =
        new JsonLines<>(raw.resolve("coded-loopback.jsonl"), LoopbackRun.class, LoopbackRun::key);
    this.results = new JsonLines<>(raw.resolve("coded-lab.jsonl"), LabRun.class, LabRun::key);
  }

  /**
   * Measures what has not been measured yet.
   *
   * @param which cells: some, gate, alone or all
   * @param megabits rate of the cells; null for all
   * @return whether nothing is left
   */
  public boolean measure(
      String which, @Nullable Integer megabits, int runs, int parallel, PrintWriter err)
      throws InterruptedException, IOException {
    List<LabCell> cells =
        cells(which).stream()
            .filter(cell -> megabits == null || cell.megabits() == megabits)
            .toList();
    machine.write();
    return new CodedLabCampaign(results, err, this::trace)
        .measure(cells, runs, parallel, ALONE, SHARED);
  }

  private static List<LabCell> cells(String which) {
    return switch (which) {
      case "some" -> LabCell.some();
      case "gate" -> LabCell.gate();
      case "alone" -> LabCell.alone();
      case "all" -> {
        List<LabCell> all = new ArrayList<>(LabCell.alone());
        all.addAll(LabCell.gate());
        yield all;
      }
      default ->
          throw new CommandException(
              "--cells " + which + ": give some, gate, alone, all or loopback");
    };
  }

  private synchronized void trace(String line) {
    try {
      Files.writeString(trace, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      // Nothing rests on it.
    }
  }

  /** Measures sessions on loopback, one after the other, as far as they were not yet. */
  public void measureLoopback(int runs, PrintWriter err) throws InterruptedException, IOException {
    List<String> there = loopback.read().stream().map(LoopbackRun::key).toList();
    for (int number = 1; number <= runs; number++) {
      for (double loss : new double[] {0, 0.1}) {
        for (String kernel : List.of(LoopbackRun.SCALAR, LoopbackRun.VECTOR)) {
          if (!there.contains(new LoopbackRun(number, loss, kernel, 0, 0, 0, 0).key())) {
            LoopbackRun run = LoopbackRun.measure(number, loss, kernel);
            loopback.append(run);
            err.println(run);
            err.flush();
          }
        }
      }
    }
  }

  /** Writes the page about whatever there is. */
  public void write() throws IOException {
    new CodedLabReport(results.read(), loopback.read(), machine.words())
        .page()
        .writeMarkdown(folder, PAGE.replace(".md", ""));
  }
}
