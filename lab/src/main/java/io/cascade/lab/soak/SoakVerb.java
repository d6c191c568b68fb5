package io.cascade.lab.soak;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.command.TimeSpan;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.Machine;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cascade soak}: tests whether relays stay stable for hours. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Run mixed load over chains of relays on this machine, and kill relays at random.",
      "Every byte is verified; memory, descriptors and threads must stay flat. Exits with 1 if"
          + " anything did not hold. Linux only."
    })
public final class SoakVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "Run for this long, such as 90s, 10min or 3h (default: 10min).")
  private TimeSpan duration = new TimeSpan(600);

  @Option(
      names = "--kill-every",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "Kill a relay at this interval, on average (default: 30s).")
  private TimeSpan killEvery = new TimeSpan(30);

  @Option(names = "--no-kills", description = "Kill no relay.")
  private boolean noKills;

  @Option(names = "--relays", paramLabel = "N", description = "Run N relays, 2 to 8 (default: 3).")
  private int relays = 3;

  @Option(
      names = "--coded",
      description = "Add a chain with coded hops; the limit on memory is then less strict.")
  private boolean coded;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Draw sizes, kinds and kills from this seed (default: 1).")
  private long seed = 1;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Write soak.md and soak.json into this folder.")
  private @Nullable Path output;

  @Option(names = "--json", description = "Print one JSON document on stdout and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      throw new CommandException(
          "soak needs Linux: it reads memory, descriptors and threads from /proc");
    }
    if (relays < 2 || relays > 8) {
      throw new CommandException("--relays: " + relays + " (expected: 2 to 8)");
    }
    if (output != null) {
      Files.createDirectories(output); // Checked now, since the report is written an hour from now.
    }
    PrintWriter err = spec.commandLine().getErr();
    WorkFolder work = WorkFolder.make("soak");
    SoakReport report = soak(work, err);
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
    work.leave(report.held(), err);
    return report.held() ? 0 : 1;
  }

  private String command() {
    return "./cascade " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  private SoakReport soak(WorkFolder work, PrintWriter err)
      throws IOException, InterruptedException {
    try (Host host = Host.open();
        LocalCluster parts = new LocalCluster(work.command(), work.path());
        StopHook _ =
            StopHook.install(() -> {
              parts.close();
              work.remove();
            })) {
      return soak(Cluster.start(parts, relays, Duration.ZERO), host, err);
    }
  }

  private SoakReport soak(Cluster cluster, Host host, PrintWriter err)
      throws IOException, InterruptedException {
    try (ForwardedLine forward = ForwardedLine.open(cluster, host.port())) {
      List<Cluster.Line> lines = new ArrayList<>(open(cluster, host.port()));
      lines.add(forward.line());
      err.printf("soaking for %.0f s with %d relays%n", duration.seconds(), relays);
      err.flush();
      return new Soak(
              cluster,
              host,
              lines,
              new Soak.Plan(span(duration), noKills ? Duration.ZERO : span(killEvery), seed, coded))
          .run();
    }
  }

  /** Every kind of forwarding; all chains begin at the first relay. */
  private List<Cluster.Line> open(Cluster cluster, int port) throws InterruptedException {
    List<Integer> all = IntStream.range(0, relays).boxed().toList();
    List<Cluster.Line> lines = new ArrayList<>();
    lines.add(cluster.open("all relays", all, Map.of(), true, port));
    lines.add(cluster.open("encrypted hops", all, Map.of("security", "TLS"), true, port));
    if (coded) {
      lines.add(cluster.open("coded hops", all, Map.of("transport", "CODED"), true, port));
    }
    lines.add(cluster.open("one relay", List.of(0), Map.of(), true, port));
    lines.add(
        cluster.open("small buffers", List.of(0, 1), Map.of("bufferBytes", 65_536), true, port));
    lines.add(
        cluster.open(
            "no warm connections",
            List.of(0, relays - 1),
            Map.of("warmConnections", 0),
            true,
            port));
    lines.add(cluster.open("chunks", List.of(0, 1), Map.of("chunkBytes", 50_000), false, port));
    lines.add(
        cluster.open(
            "stored", List.of(0, relays - 1), Map.of("mode", "STORE_AND_FORWARD"), false, port));
    lines.add(cluster.openPipes("two pipes", List.of(all, List.of(0, relays - 1)), port));
    cluster.awaitReady();
    return lines;
  }

  private static Duration span(TimeSpan time) {
    return Duration.ofNanos((long) (time.seconds() * 1e9));
  }
}
