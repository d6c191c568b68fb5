package io.cascade.studies.tunnel;

import io.cascade.command.ParsedOption;
import io.cascade.studies.study.JsonLines;
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

/** Cells of the tunnel, and kills of gateways. */
@Command(
    name = "tcp-nc-tunnel",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what TCP connections get through gateways over lossy links: end to end, with one"
          + " coded session and with one for each link.",
      "Takes an hour (with --full --repetitions 10 sixteen hours), over an emulated network with"
          + " real gateway processes, and writes a page. Results that exist are not measured"
          + " again. Needs Linux and root.",
      "",
      "Example: cascade reproduce tcp-nc-tunnel --out /tmp/tunnel"
    })
public final class TunnelStudy extends Study<Repetition<TunnelCell>, TunnelRun> {
  private static final String NAME = "tcp-nc-tunnel";
  private static final double WARM_UP_SECONDS = 6;

  @Option(
      names = "--full",
      description =
          "Measure one to four sessions, r0 from 0 to 0.3 by 0.05; otherwise the most informative"
              + " cells.")
  private boolean full;

  @Option(
      names = "--ways",
      paramLabel = "WAY",
      split = ",",
      converter = WayName.class,
      description =
          "Measure only these ways: end-to-end, single, cascaded, single-blocks, cascaded-blocks.")
  private List<TunnelWay> ways = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "30",
      description =
          "Count this many seconds of each run, after 6 that are not counted (default:"
              + " ${DEFAULT-VALUE}).")
  private double seconds = 30;

  @Option(
      names = "--restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Kill each gateway N times, instead of measuring cells.")
  private int restarts;

  @Mixin private Parallel parallel = new Parallel(1);

  public TunnelStudy() {
    super(NAME, 1, TunnelRun.class, TunnelRun::key);
  }

  @Override
  protected void check() {
    atLeastOne("--seconds", seconds);
  }

  @Override
  protected List<Repetition<TunnelCell>> tasks() {
    return Repetition.interleaved(
        (full ? TunnelCell.all() : TunnelCell.few())
            .stream().filter(cell -> ways.isEmpty() || ways.contains(cell.way())).toList(),
        repetitions());
  }

  @Override
  protected int parallel() {
    return parallel.count();
  }

  private JsonLines<RestartRun> restartResults() {
    return folder().results(NAME + "-restarts", RestartRun.class, RestartRun::key);
  }

  @Override
  protected List<JsonLines<?>> allResults() {
    return List.of(results(), restartResults());
  }

  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    return restarts == 0
        ? super.measure(err)
        : measure(
            new Restarts(),
            restartResults(),
            Repetition.interleaved(List.of("gw1", "gw2", "gw3"), restarts),
            1,
            err);
  }

  @Override
  public String key(Repetition<TunnelCell> task) {
    return TunnelRun.key(task.cell(), task.number(), seconds);
  }

  @Override
  public boolean isAnswered(Repetition<TunnelCell> task, TunnelRun result) {
    return result.failure() == null;
  }

  @Override
  public Bench<Repetition<TunnelCell>, TunnelRun> open(int number) throws Exception {
    TunnelNetwork network =
        TunnelNetwork.up("t" + ProcessHandle.current().pid() + (char) ('a' + number));
    return Measurement.on(
        network, task -> network.run(task.cell(), task.number(), WARM_UP_SECONDS, seconds));
  }

  @Override
  public TunnelRun failed(Repetition<TunnelCell> task, Exception failure) {
    return TunnelRun.failed(task.cell(), task.number(), seconds, Measurement.why(failure));
  }

  @Override
  public String words(TunnelRun run) {
    return run.failure() == null
        ? String.format(
            Locale.ROOT,
            "%.3f Mbit/s each, ping %.0f ms idle, %.0f ms loaded",
            run.meanBitsPerSecond() / 1e6,
            1e3 * run.idlePingSeconds(),
            1e3 * run.loadedPingSeconds())
        : run.failure();
  }

  @Override
  protected Page page() throws IOException {
    return new TunnelReport(results().read(), restartResults().read(), folder().machine()).page();
  }

  /** Kills of the gateways of a cascaded tunnel. */
  private static final class Restarts implements Measurement<Repetition<String>, RestartRun> {
    @Override
    public String key(Repetition<String> task) {
      return RestartRun.key(task.cell(), task.number());
    }

    @Override
    public Bench<Repetition<String>, RestartRun> open(int number) throws Exception {
      TunnelNetwork network = TunnelNetwork.up("t" + ProcessHandle.current().pid());
      return Measurement.on(network, task -> network.restart(task.cell(), task.number()));
    }

    @Override
    public String words(RestartRun run) {
      return String.format(
          Locale.ROOT,
          "absent for %.2f s, ping after %.2f s, bytes after %.2f s",
          run.absentSeconds(),
          run.pingSeconds(),
          run.bytesSeconds());
    }
  }

  /** Ways by their names on the command line. */
  static final class WayName extends ParsedOption<TunnelWay> {
    WayName() {
      super(
          constant(
              TunnelWay.class, "end-to-end, single, cascaded, single-blocks or cascaded-blocks"));
    }
  }
}
