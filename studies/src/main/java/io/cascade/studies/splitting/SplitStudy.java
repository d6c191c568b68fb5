package io.cascade.studies.splitting;

import io.cascade.studies.study.JsonLines;
import io.cascade.studies.study.MachineLoad;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Parallel;
import io.cascade.studies.study.Repetition;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cells of the splitter/combiner, and failures of pipes. */
@Command(
    name = "splitter-combiner",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what one TCP connection gets over several paths of 1.544 Mbit/s: over one of them,"
          + " round-robin, with DEF and DEF+, and between a pair of scap.",
      "Takes ten minutes (with --full --pipes 2,3 --repetitions 5 half a day), over emulated paths"
          + " with real scap processes, and writes a page. Results that exist are not measured"
          + " again. Needs Linux and root.",
      "",
      "Example: cascade reproduce splitter-combiner --out /tmp/splitter"
    })
public final class SplitStudy extends Study<Repetition<SplitCell>, SplitRun> {
  private static final String NAME = "splitter-combiner";
  private static final double WARM_UP_SECONDS = 10;

  @Option(
      names = "--full",
      description =
          "Measure CUBIC and Reno, each with and without SACK and timestamps; otherwise CUBIC with"
              + " both and Reno with neither.")
  private boolean full;

  @Option(
      names = "--pipes",
      paramLabel = "N",
      split = ",",
      defaultValue = "2",
      description = "Use N paths, 2 or 3; also 2,3 (default: ${DEFAULT-VALUE}).")
  private List<Integer> pipes = List.of(2);

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "40",
      description =
          "Count this many seconds of each run, after 10 that are not counted (default:"
              + " ${DEFAULT-VALUE}).")
  private double seconds = 40;

  @Option(
      names = "--deaths",
      paramLabel = "N",
      defaultValue = "0",
      description = "Let pipes die N times in each way, instead of measuring cells.")
  private int deaths;

  @Mixin private Parallel parallel = new Parallel(4);

  public SplitStudy() {
    super(NAME, 1, SplitRun.class, SplitRun::key);
  }

  @Override
  protected void check() {
    atLeastOne("--seconds", seconds);
    if (!List.of(2, 3).containsAll(pipes)) {
      throw refuse("--pipes " + pipes + " (expected: 2, 3 or 2,3)");
    }
  }

  @Override
  protected List<Repetition<SplitCell>> tasks() {
    return Repetition.interleaved(
        full ? SplitCell.all(pipes) : SplitCell.few(pipes), repetitions());
  }

  @Override
  protected int parallel() {
    return parallel.count();
  }

  private JsonLines<DeathRun> deathResults() {
    return folder().results(NAME + "-deaths", DeathRun.class, DeathRun::key);
  }

  @Override
  protected List<JsonLines<?>> allResults() {
    return List.of(results(), deathResults());
  }

  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    return deaths == 0
        ? super.measure(err)
        : measure(new Deaths(), deathResults(), Repetition.interleaved(Death.ALL, deaths), 1, err);
  }

  @Override
  public String key(Repetition<SplitCell> task) {
    return SplitRun.key(task.cell(), task.number(), seconds);
  }

  @Override
  public boolean isAnswered(Repetition<SplitCell> task, SplitRun result) {
    return result.failure() == null;
  }

  @Override
  public Bench<Repetition<SplitCell>, SplitRun> open(int number) throws Exception {
    SplitNetwork network = SplitNetwork.up("s" + ProcessHandle.current().pid() + "-" + number);
    return Measurement.on(
        network, task -> network.run(task.cell(), task.number(), WARM_UP_SECONDS, seconds));
  }

  @Override
  public SplitRun failed(Repetition<SplitCell> task, Exception failure) {
    String why = Measurement.why(failure);
    double load = MachineLoad.oneMinute();
    return new SplitRun(task.cell(), task.number(), seconds, 0, null, null, 0, null, load, why);
  }

  @Override
  public String words(SplitRun run) {
    return run.failure() == null
        ? String.format(Locale.ROOT, "%.2f Mbit/s", run.bitsPerSecond() / 1e6)
        : run.failure();
  }

  @Override
  protected Page page() throws IOException {
    return new SplitReport(results().read(), deathResults().read(), folder().machine()).page();
  }

  /** A failure of the path without acknowledgments, and with a pair also of the other path. */
  private record Death(SplitWay way, int pipe, DeathRun.Kind kind) {
    static final List<Death> ALL =
        List.of(SplitWay.DEF, SplitWay.DEF_PLUS, SplitWay.PAIR, SplitWay.PAIR_MEASURED).stream()
            .flatMap(way ->
                (way.farToo() ? List.of(1, 2) : List.of(2))
                    .stream()
                        .flatMap(pipe ->
                            List.of(DeathRun.Kind.values()).stream()
                                .map(kind -> new Death(way, pipe, kind))))
            .toList();
  }

  private static final class Deaths implements Measurement<Repetition<Death>, DeathRun> {
    @Override
    public String key(Repetition<Death> task) {
      Death death = task.cell();
      return DeathRun.key(death.way(), death.pipe(), death.kind(), task.number());
    }

    /** A new network for each failure, since a network cannot be used after one. */
    @Override
    public Bench<Repetition<Death>, DeathRun> open(int number) {
      return task -> {
        String name = "s" + ProcessHandle.current().pid() + "-d";
        try (SplitNetwork network = SplitNetwork.up(name)) {
          Death death = task.cell();
          return network.death(death.way(), death.pipe(), death.kind(), task.number());
        }
      };
    }

    @Override
    public String words(DeathRun run) {
      return String.format(
          Locale.ROOT,
          "%d time-outs, %.2f Mbit/s before, %.2f after",
          run.timeouts(),
          run.beforeBitsPerSecond() / 1e6,
          run.afterBitsPerSecond() / 1e6);
    }
  }
}
