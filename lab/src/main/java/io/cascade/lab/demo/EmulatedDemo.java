package io.cascade.lab.demo;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Plan;
import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.Digests;
import io.cascade.contract.Quantities;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.Topology;
import io.cascade.lab.process.Patience;
import io.cascade.lab.process.RandomFile;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one file at the same time over two copies of a network: directly, and by {@code send}
 * without options. Planner and sender know nothing of the network but their measurements.
 */
final class EmulatedDemo {
  private static final Duration PLANNED = Duration.ofSeconds(90);
  private static final Patience SENT = new Patience(Duration.ofMinutes(10), Duration.ofMillis(200));
  private static final int USUAL_COLUMNS = 100;

  /** Time without progress after which a transfer fails. */
  private static final List<String> PATIENCE = List.of("--stall-timeout", "60");

  private final Networks networks;
  private final PrintWriter story;
  private final PrintWriter err;
  private @Nullable Chart chart;

  /** Draws both transfers once they have ended. */
  Chart chart() {
    return Objects.requireNonNull(chart, "not played yet");
  }

  /**
   * @param networks of which the one without relays is up
   * @param err where lines may be redrawn if that is a terminal, as the launcher reports
   */
  EmulatedDemo(Networks networks, PrintWriter story, PrintWriter err) {
    this.networks = networks;
    this.story = story;
    this.err = err;
  }

  DemoReport play(long bytes, long seed) throws IOException, InterruptedException {
    Path folder = networks.withoutRelays().folder();
    Path file = folder.resolve("random.bin");
    RandomFile.checkRoom(folder, bytes);
    RandomFile.write(file, bytes, seed);
    String sha256 = sha256(file);
    String path = describe(networks.withoutRelays().topology());
    say(
        "An ordinary long path, emulated on this machine, twice (round trip, rate, loss each way):");
    say("  " + path);
    Lab lab = networks.withRelays();
    URI dashboard = lab.dashboard().orElseThrow();
    say(
        "Relays run at "
            + lab.topology().sites().stream()
                .filter(site -> !site.relays().isEmpty())
                .map(Topology.SiteSpec::name)
                .collect(Collectors.joining(" and "))
            + ". Dashboard: "
            + dashboard
            + "/ui/, token "
            + lab.token());
    Transfer chosen =
        new Transfer("cascade send", false, lab, file, bytes, folder.resolve("chosen"));
    Transfer plain =
        new Transfer(
            "plain TCP", true, networks.withoutRelays(), file, bytes, folder.resolve("plain"));
    new MeasuredRelays(new OrchestratorClient(dashboard, lab.token()))
        .await(lab.topology().sites().stream().mapToInt(site -> site.relays().size()).sum());
    Plan plan = plan(lab, bytes);
    say("The plan, from what was measured: " + plan.decision());
    say("");
    say(
        "Sending %s, seed %d, by one plain TCP connection and by ./cascade send, both at the same time:"
            .formatted(DataSize.format(bytes), seed));
    race(plain, chosen);
    double linkBitsPerSecond = linkBitsPerSecond(lab.topology());
    chart = chart(bytes, linkBitsPerSecond, plain.progress(), chosen.progress());
    DemoReport report =
        DemoReport.of(
            path,
            seed,
            bytes,
            sha256,
            plan.decision().toString(),
            DemoReport.Way.of(plain.sent(), plain.received()),
            DemoReport.Way.of(chosen.sent(), chosen.received()),
            linkBitsPerSecond,
            dashboard.toString());
    print(report, chosen.sent());
    return report;
  }

  private static Plan plan(Lab lab, long bytes) throws IOException, InterruptedException {
    Path document = lab.folder().resolve("plan.json");
    Path log = lab.folder().resolve("plan.log");
    Process process =
        lab.site("client")
            .verb(
                List.of(
                    "plan",
                    "--json",
                    "--to",
                    Transfer.DESTINATION,
                    "--bytes",
                    Long.toString(bytes)))
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    if (!process.waitFor(PLANNED) || process.exitValue() != 0) {
      process.destroy();
      throw new CommandException("no plan: " + Files.readString(log).strip());
    }
    return Json.lenient().readValue(Files.readString(document), Plan.class);
  }

  private void race(Transfer plain, Transfer chosen) throws InterruptedException {
    boolean terminal = Boolean.getBoolean("cascade.terminal");
    Scoreboard board =
        new Scoreboard(
            terminal ? err : story,
            terminal,
            Integer.getInteger("cascade.columns", USUAL_COLUMNS),
            List.of(plain.progress(), chosen.progress()));
    long begin = System.nanoTime();
    plain.send(PATIENCE);
    chosen.send(PATIENCE);
    SENT.until(
        "both transfers",
        () -> {
          boolean plainOver = plain.look();
          boolean chosenOver = chosen.look();
          chosen.notes().forEach(note -> board.note("  send: " + note));
          board.show((System.nanoTime() - begin) / 1e9);
          return plainOver && chosenOver;
        });
    board.end();
  }

  /** Bytes that had arrived over time, compared with the link's capacity. */
  static Chart chart(long bytes, double linkBitsPerSecond, Progress plain, Progress chosen) {
    double least = 8 * bytes / linkBitsPerSecond;
    return new Chart(
        "%.1f MB over %s, emulated".formatted(bytes / 1e6, Quantities.rate(linkBitsPerSecond)),
        Axis.linear("time [s]"),
        Axis.linear("arrived [MB]"),
        List.of(
            Line.dashed("the link's capacity", List.of(0.0, least), List.of(0.0, bytes / 1e6)),
            chosen.line(),
            plain.line()));
  }

  /** Rate of the slowest link, the upper bound of any transfer. */
  private static double linkBitsPerSecond(Topology topology) {
    return topology.links().stream()
        .mapToDouble(link -> link.forward().bitsPerSecond())
        .min()
        .orElseThrow();
  }

  private void print(DemoReport report, Transfer.Sent sent) {
    say("");
    say(report.sentence());
    say(
        "plain TCP %s, cascade send %s; SHA-256 %s"
            .formatted(
                Quantities.seconds(report.plain().seconds()),
                Quantities.seconds(report.chosen().seconds()),
                report.chosen().sha256Received()));
    List<String> shares = new ArrayList<>();
    add(shares, sent.direct(), "over TCP, directly");
    add(shares, sent.coded(), "coded, directly");
    Transfer.Share relayed = sent.relayed();
    add(shares, relayed, relayed == null ? "" : relayed.through());
    if (!shares.isEmpty()) {
      say("cascade send: " + String.join(", ", shares));
    }
    report
        .checks()
        .forEach(check -> say((check.held() ? "  ok      " : "  FAILED  ") + check.what()));
  }

  private static void add(List<String> shares, Transfer.@Nullable Share share, String way) {
    if (share != null && share.bytes() > 0) {
      shares.add(DataSize.format(share.bytes()) + " " + way);
    }
  }

  /** Prints what to try while the demonstration is still up. */
  void invite(DemoReport report) {
    String lab = networks.withRelays().name();
    say("");
    say(
        "The network stays until Ctrl-C. Dashboard: %s/ui/, token %s"
            .formatted(report.dashboard(), networks.withRelays().token()));
    say("Try, in another window:");
    say("  ./cascade lab exec --lab " + lab + " client ./cascade links");
    say("  ./cascade lab exec --lab " + lab + " client ping -c 3 server");
    say("  ./cascade lab status --lab " + lab);
  }

  /** Describes the path from site to site. */
  static String describe(Topology topology) {
    StringBuilder text = new StringBuilder(topology.links().getFirst().from());
    for (Topology.LinkSpec link : topology.links()) {
      LinkShape shape = link.forward();
      text.append(
          " --[%s, %s, %s]-- %s"
              .formatted(
                  Quantities.millis(
                      (shape.delay().toNanos() + link.backward().delay().toNanos()) / 1e6),
                  Quantities.rate((double) shape.bitsPerSecond()),
                  shape.loss(),
                  link.to()));
    }
    return text.toString();
  }

  private static String sha256(Path file) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (InputStream in = Files.newInputStream(file)) {
      new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
    }
    return new Sha256(digest.digest()).toString();
  }

  private void say(String line) {
    story.println(line);
    story.flush();
  }
}
