package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.net.InetSocketAddress;
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

/** A tunnel that the orchestrator installs, and a TCP connection through it. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class InstalledTunnelTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long BYTES = 1_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses processes;

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("gateways");
    LinkShape near = LinkShape.of(Duration.ofMillis(1), 50_000_000);
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(10), 20_000_000).withLoss(new Loss.Bernoulli(0.05));
    lab =
        Lab.up(
            new Topology(
                "installed-" + ProcessHandle.current().pid(),
                1,
                List.of(
                    new SiteSpec("a", "reno", List.of()),
                    new SiteSpec("gw1", "reno", List.of()),
                    new SiteSpec("gw2", "reno", List.of()),
                    new SiteSpec("b", "reno", List.of())),
                List.of(
                    LinkSpec.symmetric("a", "gw1", near),
                    LinkSpec.symmetric("gw1", "gw2", lossy),
                    LinkSpec.symmetric("gw2", "b", near)),
                "gw1",
                List.of()));
    processes = new SiteProcesses(lab, folder);
  }

  @AfterEach
  void down() {
    if (lab != null) {
      processes.close();
      lab.close();
    }
  }

  @Test
  void aConnectionOutlivesAGatewayThatGetsItsLinksFromTheOrchestratorAgain() throws Exception {
    gateway("gw1");
    Process far = gateway("gw2", "--listen", lab.site("gw2").address() + ":7800");
    String opened =
        verb(
            "tunnel",
            "open",
            "--from",
            "gw1",
            "--to",
            "gw2",
            "--from-prefix",
            lab.site("a").address() + "/32",
            "--to-prefix",
            lab.site("b").address() + "/32");
    assertThat(opened.strip()).as("the tunnel's id, once it is up").hasSize(36);

    try (TrafficSink sink = TrafficSink.at(lab.site("b"), 1);
        Sender sender =
            Sender.connect(
                lab.site("a"), new InetSocketAddress(lab.site("b").address(), sink.port()), 1)) {
      sender.send(BYTES);
      await().atMost(PATIENCE).until(() -> sink.bytes() > BYTES / 10);
      far.destroyForcibly();
      far.waitFor();
      gateway("gw2", "--listen", lab.site("gw2").address() + ":7800");

      assertThat(sink.awaitEnd((double) PATIENCE.toSeconds()))
          .as("%d bytes; %s", sink.bytes(), verb("gateway", "status", "gw1"))
          .isTrue();
      assertThat(sink.bytes()).isEqualTo(BYTES);
    }
    assertThat(forwardedPackets()).as("the connection went through the tunnel").isGreaterThan(500);
  }

  private long forwardedPackets() throws Exception {
    List<Long> counts = new ArrayList<>();
    // A report is as old as a heartbeat.
    await()
        .atMost(PATIENCE)
        .until(() -> {
          String json = verb("gateway", "status", "gw1", "--json");
          counts.add(
              Long.parseLong(json.replaceAll("(?s).*\"forwardedPackets\"\\s*:\\s*(\\d+).*", "$1")));
          return counts.getLast() > 500;
        });
    return counts.getLast();
  }

  /** Runs a verb beside the orchestrator; what it said. */
  private String verb(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--orchestrator", lab.orchestrator().orElseThrow().toString()));
    return processes.run("gw1", all);
  }

  private Process gateway(String name, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("gateway", "up", "--name", name, "--tun", "tunnel0"));
    arguments.addAll(List.of("--address", lab.site(name).address()));
    arguments.addAll(List.of("--orchestrator", lab.orchestrator().orElseThrow().toString()));
    arguments.addAll(List.of("--identity", folder.resolve(name + ".identity").toString()));
    arguments.addAll(List.of("--control", folder.resolve(name + ".sock").toString()));
    arguments.addAll(List.of(options));
    return processes.start(name, arguments, "gateway ready: " + name);
  }
}
