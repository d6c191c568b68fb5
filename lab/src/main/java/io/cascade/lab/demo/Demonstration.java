package io.cascade.lab.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.Plan;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import io.cascade.lab.demo.LoopbackReport.RelayTraffic;
import io.cascade.lab.demo.LoopbackReport.SetupComparison;
import io.cascade.lab.demo.LoopbackReport.TransferReport;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.RandomFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The demonstration over loopback, step by step: a cluster, a plan, a chain, a transfer and its
 * checks.
 *
 * @param progress whether to show the transfer's progress; null if there is a terminal
 */
record Demonstration(
    LocalCluster cluster, Path folder, DemoOutput story, @Nullable Boolean progress) {
  private static final List<String> SITES =
      List.of("berlin", "vienna", "zurich", "milan", "lyon", "madrid", "porto", "bergen");
  private static final long DEFAULT_BUFFER_BYTES = 4L << 20;

  LoopbackReport play(int relayCount, long bytes, long seed)
      throws IOException, InterruptedException {
    RandomFile.checkRoom(folder, bytes);
    Path source = folder.resolve("random.bin");
    story.say("Files and logs: " + folder);
    CompletableFuture<Void> file =
        CompletableFuture.runAsync(() -> RandomFile.write(source, bytes, seed));
    URI orchestrator = startOrchestrator();
    List<LocalRelay> relays = startRelays(relayCount, orchestrator);
    Void _ = Networks.joined(file);
    story.say("random file of %s written (seed %d)".formatted(DataSize.format(bytes), seed));

    OrchestratorClient client = new OrchestratorClient(orchestrator, null);
    List<Link> links = measured(client, relayCount);
    story.say("the relays have registered and measured each other:");
    story.links(links);

    Path received = Files.createDirectory(folder.resolve("received"));
    try (ReceivingPort receiver = receiver(received)) {
      HostPort destination = receiver.address();
      story.say("receiver on " + destination);
      Plan plan = new DemoPlan(client, story).plan(destination, bytes, names(relays));
      DemoChains chains = new DemoChains(client, destination, names(relays), story);
      Chain chain = chains.open(bytes);
      SetupComparison comparison = chains.compare();
      DemoTransfer stream = new DemoTransfer(cluster, client, chain, story, progress);
      TransferReport transfer = stream.run(receiver, source, bytes);
      List<RelayTraffic> traffic = stream.traffic();
      story.traffic(traffic);
      List<Check> checks = DemoChecks.of(transfer, traffic, relayCount, budgetBytes(chain));
      story.checks(checks);
      return new LoopbackReport(
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

  private URI startOrchestrator() throws InterruptedException {
    long start = System.nanoTime();
    URI orchestrator = cluster.startOrchestrator();
    story.say("orchestrator ready at %s after %s".formatted(orchestrator, since(start)));
    return orchestrator;
  }

  private List<LocalRelay> startRelays(int count, URI orchestrator) throws InterruptedException {
    long start = System.nanoTime();
    List<LocalRelay> relays =
        cluster
            .startRelays(
                count,
                orchestrator,
                i -> List.of("--site", SITES.get((i - 1) % SITES.size()), "--listen", "127.0.0.1"))
            .stream()
            .map(LocalRelay::of)
            .toList();
    story.say("%d relays ready after %s".formatted(count, since(start)));
    relays.forEach(relay ->
        story.say(
            "  %s  hop %s  control %s  process %d"
                .formatted(relay.name(), relay.hop(), relay.control(), relay.pid())));
    return relays;
  }

  /** Waits until every relay has registered and has measured the link to every other one. */
  private List<Link> measured(OrchestratorClient client, int relays) throws InterruptedException {
    cluster.until(
        "the relays to measure each other", () -> measured(client).size() == relays * (relays - 1));
    return measured(client);
  }

  private static List<Link> measured(OrchestratorClient client) {
    return client.links().links().stream()
        .filter(link -> link.minRttMillis() != null && link.probesSent() > 0)
        .toList();
  }

  private static ReceivingPort receiver(Path folder) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        1,
        new FileReceiver(
            new OutputTarget(folder, false, false),
            DemoTransfer.PATIENCE,
            TransferListener.SILENT));
  }

  private static List<String> names(List<LocalRelay> relays) {
    return relays.stream().map(LocalRelay::name).toList();
  }

  private static long budgetBytes(Chain chain) {
    ChainOptions options = chain.options();
    Long bufferBytes = options == null ? null : options.bufferBytes();
    return bufferBytes == null ? DEFAULT_BUFFER_BYTES : bufferBytes;
  }

  private static String since(long startNanos) {
    return Quantities.seconds((System.nanoTime() - startNanos) / 1e9);
  }
}
