package io.cascade.studies.survival;

import io.cascade.api.Json;
import io.cascade.client.forward.StreamReport;
import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.Machine;
import io.cascade.lab.process.WorkFolder;
import io.cascade.lab.soak.Cluster;
import io.cascade.lab.soak.ForwardedLine;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cascade reproduce survival}: what streams over two pipes notice of relays' deaths. */
@Command(
    name = "survival",
    mixinStandardHelpOptions = true,
    description = {
      "A client's stream over a chain of two pipes, and one that forward carries over two chains,"
          + " while each relay between is in turn killed, paused, cut off, drained and stopped, at"
          + " last without orchestrator. Cutting off needs root and nft.",
      "Prints how long the stream stood still each time. Exits with 1 when a byte was lost or"
          + " changed. Linux only."
    })
public final class SurvivalVerb implements Callable<Integer> {
  private static final int RELAYS = 4;
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final Duration CALM = Duration.ofSeconds(2);
  private static final int BUFFER = 8 << 20;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often each relay has each fault, and how often one is killed without orchestrator"
              + " (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--output", paramLabel = "DIR", description = "Write segments.md there.")
  private @Nullable Path output;

  @Option(names = "--json", description = "Print one JSON document on stdout, nothing else there.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (rounds < 1) {
      throw new CommandException("--rounds: " + rounds + " (expected: 1 or more)");
    }
    if (output != null) {
      Files.createDirectories(output);
    }
    WorkFolder work = WorkFolder.make("survival");
    SurvivalReport report = new SurvivalReport(List.of(overPipes(work), forwarded(work)));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      out.flush();
    } else {
      report.print(out);
    }
    if (output != null) {
      report.write(output, command(), Machine.here().words());
    }
    work.leave(report.whole(), spec.commandLine().getErr());
    return report.whole() ? 0 : 1;
  }

  private String command() {
    return "./cascade " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  /** An ordinary client's stream, which relays split and put together. */
  private SurvivalReport.Survivor overPipes(WorkFolder work) throws Exception {
    double load = load();
    try (LocalCluster parts = parts(work, "pipes");
        StopHook _ = StopHook.install(() -> end(parts, work));
        SteadyStream stream = new SteadyStream()) {
      Cluster cluster = Cluster.start(parts, RELAYS, DRAIN);
      Cluster.Line line =
          cluster.openPipes(
              "two pipes", List.of(List.of(0, 1, 3), List.of(0, 2, 3)), stream.port());
      stream.start(line.way());
      List<SurvivalReport.Fault> faults = faults(cluster, cluster.relays().subList(1, 3), stream);
      boolean whole = stream.finish();
      return new SurvivalReport.Survivor(
          "A client of a chain of two pipes",
          "Pipe 0 leads through r2, pipe 1 through r3, both from r1 to r4. r2 and r3 die.",
          load,
          faults,
          stream.octets(),
          whole,
          cluster.relays().getFirst().pipesLost(line.id()));
    }
  }

  private static LocalCluster parts(WorkFolder work, String folder) throws IOException {
    return new LocalCluster(work.command(), Files.createDirectory(work.path().resolve(folder)));
  }

  private static void end(LocalCluster parts, WorkFolder work) {
    parts.close();
    work.remove();
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** A stream whose junctions are in this process. */
  private SurvivalReport.Survivor forwarded(WorkFolder work) throws Exception {
    double load = load();
    SegmentStream.Settings settings =
        new SegmentStream.Settings(BUFFER, Duration.ofMinutes(1).toNanos(), Scheduler.EARLIEST);
    List<ForwardedLine.Route> routes =
        List.of(
            new ForwardedLine.Route("chain 1", List.of(0, 1)),
            new ForwardedLine.Route("chain 2", List.of(2, 3)));
    BlockingQueue<StreamReport> ends = new LinkedBlockingQueue<>();
    try (LocalCluster parts = parts(work, "forward");
        StopHook _ = StopHook.install(() -> end(parts, work));
        SteadyStream stream = new SteadyStream()) {
      Cluster cluster = Cluster.start(parts, RELAYS, DRAIN);
      try (ForwardedLine forward =
          ForwardedLine.open(cluster, stream.port(), settings, 1, routes, ends::add)) {
        stream.start(forward.line().way());
        List<SurvivalReport.Fault> faults = faults(cluster, cluster.relays(), stream);
        boolean whole = stream.finish();
        StreamReport end = ends.take();
        return new SurvivalReport.Survivor(
            "A stream of forward over two chains",
            "Chain 1 leads through r1 and r2, chain 2 through r3 and r4; there is no direct path."
                + " All four die.",
            load,
            faults,
            stream.octets(),
            whole,
            end.pipesLost());
      }
    }
  }

  /**
   * @param victims the relays that die, in turn; one of them for good at the end
   */
  private List<SurvivalReport.Fault> faults(
      Cluster cluster, List<Cluster.Relay> victims, SteadyStream stream)
      throws IOException, InterruptedException {
    List<Double> none = new ArrayList<>();
    List<Double> killed = new ArrayList<>();
    List<Double> paused = new ArrayList<>();
    List<Double> pausedAlone = new ArrayList<>();
    List<Double> killedAlone = new ArrayList<>();
    List<Double> cut = new ArrayList<>();
    List<Double> drained = new ArrayList<>();
    List<Double> stopped = new ArrayList<>();
    boolean cuts = PortCut.isPossible();
    for (int round = 1; round <= rounds; round++) {
      for (Cluster.Relay relay : victims) {
        calm(stream);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        none.add(gap("nothing", relay, stream));
        cluster.killAndRestart(relay);
        killed.add(gap("killed", relay, stream));
        calm(stream);
        Cluster.pause(relay, PAUSE);
        cluster.awaitReady();
        paused.add(gap("paused for 3 s", relay, stream));
        calm(stream);
        if (cuts) {
          try (PortCut _ = PortCut.of(relay.hopPort())) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
          }
          cluster.awaitReady();
          cut.add(gap("cut off for 3 s", relay, stream));
          calm(stream);
        }
        cluster.drain(relay, true);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        cluster.drain(relay, false);
        drained.add(gap("drained for 3 s", relay, stream));
        calm(stream);
        cluster.stopAndRestart(relay);
        stopped.add(gap("stopped", relay, stream));
      }
    }
    for (int round = 0; round < rounds; round++) {
      calm(stream);
      cluster.killOrchestrator();
      for (Cluster.Relay relay : victims) {
        calm(stream);
        Cluster.pause(relay, PAUSE);
        pausedAlone.add(gap("paused for 3 s without orchestrator", relay, stream));
      }
      calm(stream);
      Cluster.Relay killedOne = victims.get(round % victims.size());
      killedOne.kill();
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      killedAlone.add(gap("killed without orchestrator", killedOne, stream));
      if (round + 1 < rounds) {
        cluster.restartOrchestrator();
        cluster.killAndRestart(killedOne);
      }
    }
    return Stream.of(
            new SurvivalReport.Fault("none, for 3 s", none),
            new SurvivalReport.Fault("a relay killed (SIGKILL)", killed),
            new SurvivalReport.Fault("a relay paused for 3 s (SIGSTOP)", paused),
            new SurvivalReport.Fault("a relay's hop port cut off for 3 s (nft drop)", cut),
            new SurvivalReport.Fault("a relay drained for 3 s (`./cascade drain`)", drained),
            new SurvivalReport.Fault("a relay stopped (SIGTERM) and started again", stopped),
            new SurvivalReport.Fault("a relay paused for 3 s, the orchestrator dead", pausedAlone),
            new SurvivalReport.Fault("a relay killed, the orchestrator dead", killedAlone))
        .filter(fault -> !fault.gapsMillis().isEmpty())
        .toList();
  }

  /** Lets both pipes carry again, and forgets what was. */
  private static void calm(SteadyStream stream) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(CALM.toNanos());
    double _ = stream.longestGapMillis();
  }

  private double gap(String what, Cluster.Relay relay, SteadyStream stream) {
    double gap = stream.longestGapMillis();
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s %s: stood still for %.0f ms at most%n", relay.name(), what, gap);
    err.flush();
    return gap;
  }
}
