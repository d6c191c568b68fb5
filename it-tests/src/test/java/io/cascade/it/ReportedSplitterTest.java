package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Splitter;
import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A splitter as a process that reports to an orchestrator, and a TCP connection through it. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReportedSplitterTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long BYTES = 1_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void up() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: scap makes devices and routes, which needs root");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: scap needs /dev/net/tun");
    LinkShape local = LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED);
    List<SiteSpec> sites = new ArrayList<>();
    for (String site : List.of("sender", "split", "path1", "path2", "receiver")) {
      sites.add(new SiteSpec(site, "reno", List.of()));
    }
    lab =
        Lab.up(
            new Topology(
                "reported-" + ProcessHandle.current().pid(),
                1,
                sites,
                List.of(
                    LinkSpec.symmetric("sender", "split", local),
                    LinkSpec.symmetric("split", "path1", path(5)),
                    LinkSpec.symmetric("split", "path2", path(15)),
                    LinkSpec.symmetric("path1", "receiver", local),
                    LinkSpec.symmetric("path2", "receiver", local)),
                "split",
                List.of()));
  }

  private static LinkShape path(int delayMillis) {
    return LinkShape.of(Duration.ofMillis(delayMillis), 6_000_000).withQueueBytes(75_000);
  }

  @AfterEach
  void down() {
    processes.forEach(Process::destroyForcibly);
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void theOrchestratorListsWhatTheSplitterDidAndThatItIsLost() throws Exception {
    Process scap = scap();
    OrchestratorClient orchestrator =
        new OrchestratorClient(lab.dashboard().orElseThrow(), lab.token());
    await().atMost(PATIENCE).until(() -> !orchestrator.splitters().splitters().isEmpty());
    SplitterReport first = only(orchestrator).report();
    assertThat(first.policy().mode()).isEqualTo("def-plus");
    assertThat(first.pipes())
        .extracting(SplitterPipe::device)
        .containsExactly("to-path1", "to-path2");

    try (TrafficSink sink = TrafficSink.at(lab.site("receiver"), 1);
        Sender sender =
            Sender.connect(
                lab.site("sender"),
                new InetSocketAddress(lab.site("receiver").address(), sink.port()),
                1)) {
      sender.send(BYTES);
      assertThat(sink.awaitEnd((double) PATIENCE.toSeconds())).isTrue();
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          SplitterReport report = only(orchestrator).report();
          assertThat(report.operations().deliver()).isGreaterThan(300);
          assertThat(report.pipes()).allMatch(pipe -> pipe.sentBytes() > BYTES / 10);
        });

    scap.destroy();
    assertThat(scap.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await().atMost(PATIENCE).until(() -> only(orchestrator).lost());
  }

  private static Splitter only(OrchestratorClient orchestrator) {
    List<Splitter> splitters = orchestrator.splitters().splitters();
    assertThat(splitters).extracting(Splitter::name).containsExactly("edge");
    return splitters.getFirst();
  }

  private Process scap() throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("scap", "up", "--near", "to-sender", "--report-as", "edge"));
    arguments.addAll(List.of("--far", lab.site("receiver").address()));
    arguments.addAll(List.of("--pipe", "to-path1,rtt=14ms", "--pipe", "to-path2,rtt=34ms"));
    arguments.addAll(List.of("--identity", folder.resolve("edge.identity").toString()));
    arguments.addAll(List.of("--orchestrator", lab.orchestrator().orElseThrow().toString()));
    Path log = folder.resolve("scap.log");
    Process process =
        lab.site("split")
            .verb(arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    processes.add(process);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(process.isAlive()).as(() -> said(log)).isTrue();
          assertThat(said(log)).contains("scap ready");
        });
    return process;
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }
}
