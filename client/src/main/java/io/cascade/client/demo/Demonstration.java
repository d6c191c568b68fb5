package io.cascade.client.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.client.demo.DemoReport.Check;
import io.cascade.client.demo.DemoReport.RelayTraffic;
import io.cascade.client.demo.DemoReport.SetupComparison;
import io.cascade.client.demo.DemoReport.TransferReport;
import io.cascade.client.demo.LocalCluster.LocalRelay;
import io.cascade.client.measure.CongestionControl;
import io.cascade.client.measure.LoopbackRate;
import io.cascade.client.measure.PathProbe;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.terminal.ProgressLine;
import io.cascade.client.terminal.SetupText;
import io.cascade.client.terminal.Table;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.FileReceiver;
import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.Landing;
import io.cascade.client.transfer.Outcome;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.ReceivingPort;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.client.transfer.TransferHeader;
import io.cascade.client.transfer.TransferListener;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What the demonstration does, step by step, and what it says of it. */
final class Demonstration {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final PathProbe PROBE =
      new PathProbe(50, Duration.ofMillis(10), Duration.ofSeconds(3));
  private static final int SETUP_ROUNDS = 5;
  private static final long DEFAULT_BUFFER_BYTES = 4L << 20;

  private final LocalCluster cluster;
  private final Path folder;
  private final PrintWriter story;
  private final @Nullable Boolean progress;

  Demonstration(LocalCluster cluster, Path folder, PrintWriter story, @Nullable Boolean progress) {
    this.cluster = cluster;
    this.folder = folder;
    this.story = story;
    this.progress = progress;
  }

  DemoReport play(int relayCount, long bytes, long seed) throws IOException, InterruptedException {
    RandomFile.checkRoom(folder, bytes);
    Path source = folder.resolve("random.bin");
    say("Files and logs: " + folder);
    CompletableFuture<Void> file =
        CompletableFuture.runAsync(() -> RandomFile.write(source, bytes, seed));

    long start = System.nanoTime();
    URI orchestrator = cluster.startOrchestrator();
    say("orchestrator ready at %s after %s".formatted(orchestrator, since(start)));
    start = System.nanoTime();
    List<LocalRelay> relays = cluster.startRelays(relayCount, orchestrator);
    say("%d relays ready after %s".formatted(relayCount, since(start)));
    relays.forEach(relay ->
        say(
            "  %s  hop %s  control %s  process %d"
                .formatted(relay.name(), relay.hop(), relay.control(), relay.pid())));
    waitFor(file);
    say("random file of %s written (seed %d)".formatted(DataSize.format(bytes), seed));

    OrchestratorClient client = new OrchestratorClient(orchestrator, null);
    List<Link> links = cluster.awaitMeasured(client, relayCount);
    say("the relays have registered and measured each other:");
    print(links);

    Files.createDirectory(folder.resolve("received"));
    Landing landing = new Landing(folder.resolve("received"), false, false);
    try (ReceivingPort receiver =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            1,
            new FileReceiver(landing, PATIENCE, TransferListener.SILENT))) {
      HostPort destination = receiver.address();
      say("receiver on " + destination);
      List<String> via = relays.stream().map(LocalRelay::name).toList();
      Plan plan = plan(client, relays, destination, bytes, via);
      Chain chain = open(client, destination, "demo", via, bytes, SetupMode.PARALLEL);
      SetupReport setup = setupOf(chain);
      say("");
      say("Chain %s via %s, set up in parallel".formatted(chain.id(), String.join(", ", via)));
      SetupText.print(setup, story);
      SetupComparison comparison = compareSetups(client, destination, via);

      TransferReport transfer;
      try {
        transfer = transfer(chain, receiver, source, bytes);
      } catch (TransferFailed e) {
        tellWhatRelaysSay(client, chain);
        throw e;
      }
      List<RelayTraffic> traffic = traffic(client, chain, relayCount);
      printTraffic(traffic);
      List<Check> checks = checks(chain, transfer, traffic, relayCount);
      say("");
      checks.forEach(check -> say((check.held() ? "held    " : "FAILED  ") + check.what()));
      return new DemoReport(
          orchestrator.toString(),
          folder.toString(),
          relays,
          links,
          plan,
          chain,
          comparison,
          transfer,
          traffic,
          checks,
          checks.stream().allMatch(Check::held));
    }
  }

  /** What one can do while it is all still there. */
  static void invite(DemoReport report, PrintWriter story) {
    String url = report.orchestrator();
    story.println();
    story.println("The dashboard stays at " + url + "/ui/ until Ctrl-C, the REST API at /api/v1.");
    story.println("Try, in another window:");
    story.println("  export CASCADE_ORCHESTRATOR=" + url);
    story.println("  ./cascade relays; ./cascade links; ./cascade chain demo");
    story.println("  ./cascade receive --listen 127.0.0.1:9000");
    story.println("  ./cascade send README.md --to 127.0.0.1:9000 --via r1 --name copy.md");
    story.println("  curl " + url + "/api/v1/chains");
    story.flush();
  }

  private Plan plan(
      OrchestratorClient client,
      List<LocalRelay> relays,
      HostPort destination,
      long bytes,
      List<String> via)
      throws IOException, InterruptedException {
    Map<String, HostPort> targets = new LinkedHashMap<>();
    targets.put("destination", destination);
    relays.forEach(relay -> targets.put(relay.name(), HostPort.parse(relay.hop())));
    List<Observation> observations = PROBE.measure(targets);
    Source source = new Source(null, observations, CongestionControl.ofThisHost());
    long capacity = LoopbackRate.measure();
    Plan plan = client.plan(request(destination, bytes, source, capacity, null));
    say("");
    say(
        "One connection over loopback carries %s here: taken as the capacity of every link."
            .formatted(Quantities.rate((double) capacity)));
    PlanText.print(plan, story);
    // The planner leaves out what cannot win: ask for the demo's own relays by name.
    Plan named = client.plan(request(destination, bytes, source, capacity, via));
    Candidate direct = PlanText.candidate(plan, CandidateKind.DIRECT, List.of());
    Candidate cascade = PlanText.candidate(named, CandidateKind.CASCADE, via);
    say(
        "Predicted: directly %s, through %s %s."
            .formatted(
                Quantities.seconds(direct == null ? null : direct.seconds()),
                String.join(", ", via),
                Quantities.seconds(cascade == null ? null : cascade.seconds())));
    if (plan.decision() != Decision.CASCADE) {
      say(
          "The demo opens the cascade nevertheless: to show one is its job. On loopback there is no"
              + " latency and no loss to win back, so expect no gain here; between distant sites the"
              + " same plan decides differently.");
    }
    return plan;
  }

  private static PlanRequest request(
      HostPort destination,
      long bytes,
      Source source,
      long capacityBitsPerSecond,
      @Nullable List<String> via) {
    return new PlanRequest(
        destination.toString(),
        bytes,
        source,
        via,
        null,
        null,
        null,
        capacityBitsPerSecond,
        null,
        null,
        null,
        null,
        null);
  }

  private static Chain open(
      OrchestratorClient client,
      HostPort destination,
      String name,
      List<String> via,
      @Nullable Long bytes,
      SetupMode setup) {
    return client.open(
        new ChainRequest(
            destination.toString(),
            name,
            via,
            null,
            null,
            bytes,
            null,
            setup,
            null,
            null,
            null,
            null,
            null,
            null),
        UUID.randomUUID().toString());
  }

  private static SetupReport setupOf(Chain chain) {
    SetupReport setup = chain.setup();
    if (setup == null) {
      throw new Complaint("the orchestrator did not report how long the set-up took");
    }
    return setup;
  }

  /**
   * The first set-up loads classes at every relay, so one of each would compare nothing: several,
   * in turn.
   */
  private SetupComparison compareSetups(
      OrchestratorClient client, HostPort destination, List<String> via) {
    List<Double> parallel = new ArrayList<>();
    List<Double> sequential = new ArrayList<>();
    for (int round = 0; round < SETUP_ROUNDS; round++) {
      sequential.add(setUpOnce(client, destination, via, SetupMode.SEQUENTIAL));
      parallel.add(setUpOnce(client, destination, via, SetupMode.PARALLEL));
    }
    SetupComparison comparison =
        new SetupComparison(SETUP_ROUNDS, median(parallel), median(sequential));
    say(
        "  the same chain set up %d times in each way, median: in parallel %s, one relay after the other %s"
            .formatted(
                comparison.rounds(),
                Quantities.millis(comparison.parallelMillis()),
                Quantities.millis(comparison.sequentialMillis())));
    return comparison;
  }

  private static double setUpOnce(
      OrchestratorClient client, HostPort destination, List<String> via, SetupMode mode) {
    Chain chain = open(client, destination, "demo-comparison", via, null, mode);
    client.close(chain.id(), true);
    return setupOf(chain).elapsedMillis();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private TransferReport transfer(Chain chain, ReceivingPort receiver, Path source, long bytes)
      throws IOException, InterruptedException {
    Endpoint ingress = chain.ingress();
    if (ingress == null) {
      throw new Complaint("the chain is " + chain.state() + " and has no ingress");
    }
    HostPort entrance = new HostPort(ingress.host(), ingress.port());
    say("");
    say("Sending %s through %s".formatted(DataSize.format(bytes), entrance));
    Sent sent;
    try (FileChannel content = FileChannel.open(source)) {
      sent =
          new FileSender(
                  Connections.connect(entrance, Duration.ofSeconds(15)),
                  PATIENCE,
                  ProgressLine.of("r1 … r" + chain.relays().size(), progress))
              .send(new TransferHeader("random.bin", bytes), content);
    }
    Received received =
        switch (receiver.next()) {
          case Outcome.Arrived(Received whole) -> whole;
          case Outcome.Broken(String reason) -> throw new Complaint("receiver: " + reason);
        };
    double seconds = sent.elapsed().toNanos() / 1e9;
    TransferReport report =
        new TransferReport(
            sent.bytes(),
            sent.wireBytes(),
            Files.size(received.file()),
            seconds,
            sent.bytes() * 8 / seconds,
            sent.sha256().toString(),
            received.sha256().toString(),
            receiver.ignored());
    say(
        "%s in %s: %s"
            .formatted(
                DataSize.format(bytes),
                Quantities.seconds(seconds),
                Quantities.rate(report.bitsPerSecond())));
    say(
        "  (the model predicts what the network allows; here every byte is copied and digested by %d processors that all processes share)"
            .formatted(Runtime.getRuntime().availableProcessors()));
    say("  sha256 sent      " + report.sha256Sent());
    say("  sha256 received  " + report.sha256Received());
    return report;
  }

  private void tellWhatRelaysSay(OrchestratorClient client, Chain chain) {
    for (ChainStream stream : client.streams(chain.id()).streams()) {
      for (StreamAtRelay relay : stream.relays()) {
        say(
            "  %s: %s, forward %d in and %d out, backward %d in and %d out, %s (%s)"
                .formatted(
                    relay.relay(),
                    relay.state(),
                    relay.forwardBytesIn(),
                    relay.forwardBytesOut(),
                    relay.backwardBytesIn(),
                    relay.backwardBytesOut(),
                    relay.reason(),
                    relay.detail()));
      }
    }
  }

  /** The stream as every relay has it, once all of them have seen its end. */
  private List<RelayTraffic> traffic(OrchestratorClient client, Chain chain, int relayCount)
      throws InterruptedException {
    List<ChainStream> found = new ArrayList<>();
    cluster.until(
        "the relays to report the stream's end",
        () -> {
          found.clear();
          client.streams(chain.id()).streams().stream()
              .filter(stream -> stream.relays().size() == relayCount)
              .filter(stream -> !stream.state().equals("RUNNING"))
              .max(Comparator.comparingLong(stream -> stream.relays().getFirst().forwardBytesIn()))
              .ifPresent(found::add);
          return !found.isEmpty();
        });
    return found.getFirst().relays().stream().map(Demonstration::traffic).toList();
  }

  private static RelayTraffic traffic(StreamAtRelay relay) {
    return new RelayTraffic(
        relay.relay(),
        relay.state(),
        relay.forwardBytesIn(),
        relay.forwardBytesOut(),
        relay.backwardBytesIn(),
        relay.backwardBytesOut(),
        relay.peakHeldBytes());
  }

  private static List<Check> checks(
      Chain chain, TransferReport transfer, List<RelayTraffic> traffic, int relayCount) {
    ChainOptions options = chain.options();
    Long bufferBytes = options == null ? null : options.bufferBytes();
    long budget = bufferBytes == null ? DEFAULT_BUFFER_BYTES : bufferBytes;
    List<Check> checks = new ArrayList<>();
    checks.add(
        new Check(
            "both digests are the same", transfer.sha256Sent().equals(transfer.sha256Received())));
    checks.add(
        new Check(
            "the file that arrived has " + transfer.bytes() + " bytes",
            transfer.receivedBytes() == transfer.bytes()));
    checks.add(
        new Check(
            "every relay saw the stream to its end",
            traffic.size() == relayCount
                && traffic.stream().allMatch(relay -> relay.state().equals("COMPLETED"))));
    checks.add(
        new Check(
            "every relay took in and gave out the %d bytes that were sent (file, header, block lengths, digest)"
                .formatted(transfer.wireBytes()),
            traffic.stream()
                .allMatch(relay ->
                    relay.forwardBytesIn() == transfer.wireBytes()
                        && relay.forwardBytesOut() == transfer.wireBytes()
                        && relay.backwardBytesIn() == relay.backwardBytesOut())));
    checks.add(
        new Check(
            "no relay ever held more than %s of the stream".formatted(DataSize.format(budget)),
            traffic.stream().allMatch(relay -> relay.peakHeldBytes() <= budget)));
    return checks;
  }

  private void print(List<Link> links) {
    Table table = new Table("from", "to", ">min RTT", ">lost/sent");
    links.forEach(link ->
        table.row(
            link.from(),
            link.to(),
            Quantities.millis(link.minRttMillis()),
            link.probesLost() + "/" + link.probesSent()));
    table.print(story, "  ");
  }

  private void printTraffic(List<RelayTraffic> traffic) {
    Table table =
        new Table(
            "relay",
            "state",
            ">forward in",
            ">forward out",
            ">backward in",
            ">backward out",
            ">held at most");
    traffic.forEach(relay ->
        table.row(
            relay.relay(),
            relay.state(),
            relay.forwardBytesIn(),
            relay.forwardBytesOut(),
            relay.backwardBytesIn(),
            relay.backwardBytesOut(),
            DataSize.format(relay.peakHeldBytes())));
    table.print(story, "  ");
  }

  private static void waitFor(CompletableFuture<Void> file) {
    try {
      file.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Complaint complaint
          ? complaint
          : new Complaint("cannot write the random file: " + e.getCause(), e);
    }
  }

  private static String since(long startNanos) {
    return Quantities.seconds((System.nanoTime() - startNanos) / 1e9);
  }

  private void say(String line) {
    story.println(line);
    story.flush();
  }
}
