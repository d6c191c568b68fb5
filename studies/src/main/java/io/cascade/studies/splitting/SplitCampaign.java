package io.cascade.studies.splitting;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import io.cascade.studies.measured.MachineLoad;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Runs cells, several at the same time, and leaves out what was measured already. */
public final class SplitCampaign {
  /** The page's file, without its ending. */
  public static final String NAME = "splitter-combiner";

  private static final double WARM_UP_SECONDS = 10;

  private final Path folder;
  private final MachineNote machine;
  private final JsonLines<SplitRun> results;
  private final JsonLines<DeathRun> deaths;
  private final double seconds;
  private final PrintWriter err;

  private record Left(SplitCell cell, int repetition) {}

  /**
   * @param folder where the page is written, and results below it
   * @param seconds that are counted of each run
   */
  public SplitCampaign(Path folder, double seconds, PrintWriter err) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, NAME);
    this.results = new JsonLines<>(raw.resolve(NAME + ".jsonl"), SplitRun.class, SplitRun::key);
    this.deaths =
        new JsonLines<>(raw.resolve(NAME + "-deaths.jsonl"), DeathRun.class, DeathRun::key);
    this.seconds = seconds;
    this.err = err;
  }

  /**
   * Measures what has not been measured. A signal ends it; the same call goes on from there.
   *
   * @param full whether every sender is, or two of them
   * @param pipes how many there are, one after the other: 2 or 3
   * @return whether nothing is left
   */
  public boolean measure(boolean full, List<Integer> pipes, int repetitions, int parallel)
      throws InterruptedException, IOException {
    machine.write();
    List<SplitCell> cells = full ? SplitCell.all(pipes) : SplitCell.few(pipes);
    List<Left> left = left(cells, repetitions);
    say("%d of %d runs to measure".formatted(left.size(), cells.size() * repetitions));
    Worklist<Left> list = new Worklist<>(left, err);
    return list.run(parallel, number -> work(list, number)) && left(cells, repetitions).isEmpty();
  }

  /**
   * Lets pipes die: each kind of death of a path by which no acknowledgments come, and with a pair
   * also of the other one. What was measured is left out.
   */
  public void die(int repetitions) throws Exception {
    machine.write();
    Set<String> there = new HashSet<>();
    deaths.read().forEach(run -> there.add(run.key()));
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Way way : List.of(Way.DEF, Way.DEF_PLUS, Way.PAIR, Way.PAIR_MEASURED)) {
        for (int pipe : way.farToo() ? List.of(1, 2) : List.of(2)) {
          for (DeathRun.Kind kind : DeathRun.Kind.values()) {
            if (!there.contains(DeathRun.key(way, pipe, kind, repetition))) {
              die(way, pipe, kind, repetition);
            }
          }
        }
      }
    }
  }

  private void die(Way way, int pipe, DeathRun.Kind kind, int repetition) throws Exception {
    String name = "s" + ProcessHandle.current().pid() + "-d";
    try (SplitNetwork network = SplitNetwork.up(name)) {
      DeathRun run = network.death(way, pipe, kind, repetition);
      deaths.append(run);
      say(
          String.format(
              Locale.ROOT,
              "%s: %d time-outs, %.2f Mbit/s before, %.2f after",
              run.key(),
              run.timeouts(),
              run.beforeBitsPerSecond() / 1e6,
              run.afterBitsPerSecond() / 1e6));
    }
  }

  private List<Left> left(List<SplitCell> cells, int repetitions) {
    Set<String> there = new HashSet<>();
    for (SplitRun run : results.read()) {
      if (run.failure() == null) {
        there.add(run.key());
      }
    }
    List<Left> missing = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (SplitCell cell : cells) {
        if (!there.contains(SplitRun.key(cell, repetition, seconds))) {
          missing.add(new Left(cell, repetition));
        }
      }
    }
    return missing;
  }

  private void work(Worklist<Left> list, int number) throws Exception {
    String name = "s" + ProcessHandle.current().pid() + "-" + number;
    try (SplitNetwork network = SplitNetwork.up(name)) {
      for (Left run = list.next(); run != null; run = list.next()) {
        SplitRun measured = measured(network, run);
        list.measured(() -> results.append(measured), measured.key() + ": " + words(measured));
      }
    }
  }

  private SplitRun measured(SplitNetwork network, Left run) throws InterruptedException {
    try {
      return network.run(run.cell(), run.repetition(), WARM_UP_SECONDS, seconds);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      String why = String.valueOf(e.getMessage());
      double load = MachineLoad.oneMinute();
      return new SplitRun(run.cell(), run.repetition(), seconds, 0, null, null, 0, null, load, why);
    }
  }

  private static String words(SplitRun run) {
    return run.failure() == null
        ? String.format(Locale.ROOT, "%.2f Mbit/s", run.bitsPerSecond() / 1e6)
        : run.failure();
  }

  /** Writes the page about whatever there is. */
  public void report() throws IOException {
    new SplitReport(results.read(), deaths.read(), machine.words())
        .page()
        .writeMarkdown(folder, NAME);
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
