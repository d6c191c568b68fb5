package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.testbed.experiment.Sender;
import io.cascade.testbed.experiment.TrafficSink;
import io.cascade.testbed.lab.Lab;
import io.cascade.testbed.lab.Topology;
import io.cascade.testbed.lab.Topology.LinkSpec;
import io.cascade.testbed.lab.Topology.SiteSpec;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gateways as processes, around a link that loses packets, and a TCP connection through them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TunnelTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long BYTES = 4_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  private final List<Process> gateways = new ArrayList<>();

  @BeforeEach
  void up() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: gateways make devices and routes, which needs root");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: gateways need /dev/net/tun");
    Path key = Files.writeString(folder.resolve("key"), "3c".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    LinkShape near = LinkShape.of(Duration.ofMillis(1), 50_000_000);
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(10), 20_000_000).withLoss(new Loss.Bernoulli(0.1));
    lab =
        Lab.up(
            new Topology(
                "tunnel-" + ProcessHandle.current().pid(),
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
                null,
                List.of()));
  }

  @AfterEach
  void down() {
    gateways.forEach(Process::destroyForcibly);
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aConnectionGoesOnWhileAGatewayIsKilledAndStartedAgain() throws Exception {
    Process far = far();
    near();
    try (TrafficSink sink = TrafficSink.at(lab.site("b"), 1);
        Sender sender =
            Sender.connect(
                lab.site("a"), new InetSocketAddress(lab.site("b").address(), sink.port()), 1)) {
      sender.send(BYTES);
      await().atMost(PATIENCE).until(() -> sink.bytes() > BYTES / 10);
      far.destroyForcibly();
      far.waitFor();
      far();

      assertThat(sink.awaitEnd((double) PATIENCE.toSeconds())).isTrue();
      assertThat(sink.bytes()).isEqualTo(BYTES);
    }
    String status = status("gw1");
    assertThat(status).contains("gw1: device tunnel0", "link to gw2: up").contains("2 sessions");
  }

  private String status(String name) throws Exception {
    try (Verb asked =
        Verb.start(
            folder, "gateway", "status", "--control", folder.resolve(name + ".sock").toString())) {
      assertThat(asked.await()).as(asked.text()).isZero();
      return asked.text();
    }
  }

  private Process near() throws Exception {
    return gateway(
        "gw1",
        "--dial",
        "gw2=" + lab.site("gw2").address() + ":7800,key=" + folder.resolve("key"),
        "--route",
        lab.site("b").address() + "/32=gw2");
  }

  private Process far() throws Exception {
    return gateway(
        "gw2",
        "--listen",
        lab.site("gw2").address() + ":7800",
        "--accept",
        "gw1,key=" + folder.resolve("key"),
        "--route",
        lab.site("a").address() + "/32=gw1");
  }

  private Process gateway(String name, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("gateway", "up", "--name", name, "--tun", "tunnel0", "--address"));
    arguments.add(lab.site(name).address());
    arguments.addAll(List.of("--control", folder.resolve(name + ".sock").toString()));
    arguments.addAll(List.of(options));
    Path log = folder.resolve(name + "-" + gateways.size() + ".log");
    Process process =
        lab.site(name)
            .verb(arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    gateways.add(process);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(process.isAlive()).as(() -> said(log)).isTrue();
          assertThat(said(log)).contains("gateway ready: " + name);
        });
    return process;
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (java.io.IOException e) {
      return "";
    }
  }
}
