package io.cascade.studies.tunnel;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import io.cascade.studies.measured.MachineLoad;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Runs cells one after the other and leaves out what was measured already. */
public final class TunnelCampaign {
  /** The page's file, without its ending. */
  public static final String NAME = "tcp-nc-tunnel";

  private static final double WARM_UP_SECONDS = 6;

  private final Path folder;
  private final MachineNote machine;
  private final JsonLines<TunnelRun> results;
  private final JsonLines<RestartRun> restarts;
  private final double seconds;
  private final PrintWriter err;

  private record Left(TunnelCell cell, int repetition) {}

  /**
   * @param folder where the page is written, and results below it
   * @param seconds that are counted of each run
   */
  public TunnelCampaign(Path folder, double seconds, PrintWriter err) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, NAME);
    this.results = new JsonLines<>(raw.resolve(NAME + ".jsonl"), TunnelRun.class, TunnelRun::key);
    this.restarts =
        new JsonLines<>(raw.resolve(NAME + "-restarts.jsonl"), RestartRun.class, RestartRun::key);
    this.seconds = seconds;
    this.err = err;
  }

  /**
   * Measures what has not been measured. A signal ends it; the same call goes on from there.
   *
   * @param full whether every cell of the source is, or those that tell most
   * @param ways of those; all where there are none
   * @param parallel networks at a time
   * @return whether nothing is left
   */
  public boolean measure(boolean full, List<Way> ways, int repetitions, int parallel)
      throws InterruptedException, IOException {
    machine.write();
    List<TunnelCell> cells =
        (full ? TunnelCell.all() : TunnelCell.few())
            .stream().filter(cell -> ways.isEmpty() || ways.contains(cell.way())).toList();
    List<Left> left = left(cells, repetitions);
    say("%d of %d runs to measure".formatted(left.size(), cells.size() * repetitions));
    Worklist<Left> list = new Worklist<>(left, err);
    return list.run(parallel, number -> work(list, number)) && left(cells, repetitions).isEmpty();
  }

  /** Kills each gateway of a cascaded tunnel, as often as it was not yet. */
  public void restart(int repetitions) throws Exception {
    Files.createDirectories(RawResults.of(folder));
    try (TunnelNetwork network = TunnelNetwork.up("t" + ProcessHandle.current().pid())) {
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        for (String gateway : List.of("gw1", "gw2", "gw3")) {
          String key = RestartRun.key(gateway, repetition);
          if (restarts.read().stream().noneMatch(run -> run.key().equals(key))) {
            RestartRun run = network.restart(gateway, repetition);
            restarts.append(run);
            say(
                String.format(
                    Locale.ROOT,
                    "%s: absent for %.2f s, ping after %.2f s, bytes after %.2f s",
                    key,
                    run.absentSeconds(),
                    run.pingSeconds(),
                    run.bytesSeconds()));
          }
        }
      }
    }
  }

  /**
   * Measures what a pair of gateways and a splitter carry where nothing is lost, a line for each.
   */
  public static List<String> capacity(double seconds) throws Exception {
    try (CapacityNetwork network = CapacityNetwork.up()) {
      return Stream.of(network.direct(seconds), network.tunnelled(seconds), network.split(seconds))
          .map(figure ->
              String.format(
                  Locale.ROOT,
                  "%s: %.0f Mbit/s, %.2f CPU-s/GiB",
                  figure.way(),
                  figure.bitsPerSecond() / 1e6,
                  figure.cpuSecondsPerGibibyte()))
          .toList();
    }
  }

  private List<Left> left(List<TunnelCell> cells, int repetitions) {
    Set<String> there = new HashSet<>();
    for (TunnelRun run : results.read()) {
      if (run.failure() == null) {
        there.add(run.key());
      }
    }
    List<Left> missing = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (TunnelCell cell : cells) {
        if (!there.contains(TunnelRun.key(cell, repetition, seconds))) {
          missing.add(new Left(cell, repetition));
        }
      }
    }
    return missing;
  }

  private void work(Worklist<Left> list, int number) throws Exception {
    String name = "t" + ProcessHandle.current().pid() + (char) ('a' + number);
    try (TunnelNetwork network = TunnelNetwork.up(name)) {
      for (Left run = list.next(); run != null; run = list.next()) {
        TunnelRun measured = measured(network, run);
        list.measured(() -> results.append(measured), measured.key() + ": " + words(measured));
      }
    }
  }

  private TunnelRun measured(TunnelNetwork network, Left run) throws InterruptedException {
    try {
      return network.run(run.cell(), run.repetition(), WARM_UP_SECONDS, seconds);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      String why = String.valueOf(e.getMessage());
      double load = MachineLoad.oneMinute();
      return new TunnelRun(
          run.cell(), run.repetition(), seconds, List.of(), 0, 0, 0, 0, 0, 0, 0, load, why);
    }
  }

  private static String words(TunnelRun run) {
    return run.failure() == null
        ? String.format(
            Locale.ROOT,
            "%.3f Mbit/s each, ping %.0f ms idle, %.0f ms loaded",
            run.meanBitsPerSecond() / 1e6,
            1e3 * run.idlePingSeconds(),
            1e3 * run.loadedPingSeconds())
        : run.failure();
  }

  /** Writes the page about whatever there is. */
  public void report() throws IOException {
    new TunnelReport(results.read(), restarts.read(), machine.words())
        .page()
        .writeMarkdown(folder, NAME);
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
