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
  private static final long BYTES = 1_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses gateways;

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("gateways");
    Path key = Files.writeString(folder.resolve("key"), "3c".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    LinkShape near = LinkShape.of(Duration.ofMillis(1), 50_000_000);
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(10), 20_000_000).withLoss(new Loss.Bernoulli(0.05));
    lab =
        Lab.up(
            new Topology(
                "tunnel-" + ProcessHandle.current().pid(),
                1,
                List.of(
                    new SiteSpec("a", "reno", List.of()),
                    new SiteSpec("gw1", "reno", List.of()),
                    new SiteSpec("mid", "reno", List.of()),
                    new SiteSpec("gw2", "reno", List.of()),
                    new SiteSpec("b", "reno", List.of())),
                List.of(
                    LinkSpec.symmetric("a", "gw1", near),
                    LinkSpec.symmetric("gw1", "mid", lossy),
                    LinkSpec.symmetric("mid", "gw2", lossy),
                    LinkSpec.symmetric("gw2", "b", near)),
                null,
                List.of()));
    gateways = new SiteProcesses(lab, folder);
  }

  @AfterEach
  void down() {
    if (lab != null) {
      gateways.close();
      lab.close();
    }
  }

  @Test
  void aConnectionGoesOnWhileAGatewayIsKilledAndStartedAgain() throws Exception {
    Process far = far("gw1");
    near("gw2");
    try (TrafficSink sink = TrafficSink.at(lab.site("b"), 1);
        Sender sender =
            Sender.connect(
                lab.site("a"), new InetSocketAddress(lab.site("b").address(), sink.port()), 1)) {
      sender.send(BYTES);
      await().atMost(PATIENCE).until(() -> sink.bytes() > BYTES / 10);
      far.destroyForcibly();
      far.waitFor();
      far("gw1");

      boolean isOver = sink.awaitEnd((double) PATIENCE.toSeconds());
      assertThat(isOver).as("%d bytes; %s", sink.bytes(), status("gw1")).isTrue();
      assertThat(sink.bytes()).isEqualTo(BYTES);
    }
    String status = status("gw1");
    assertThat(status)
        .contains("gw1: device tunnel0", "link to gw2: up")
        .doesNotContain(" 1 sessions");
  }

  @Test
  void packetsGoThroughAGatewayBetweenTwoOthers() throws Exception {
    far("mid");
    between();
    near("mid");
    try (TrafficSink sink = TrafficSink.at(lab.site("b"), 1);
        Sender sender =
            Sender.connect(
                lab.site("a"), new InetSocketAddress(lab.site("b").address(), sink.port()), 1)) {
      sender.send(BYTES);
      assertThat(sink.awaitEnd((double) PATIENCE.toSeconds())).as(status("mid")).isTrue();
      assertThat(sink.bytes()).isEqualTo(BYTES);
    }
    assertThat(status("mid"))
        .contains("mid: no TUN device", "link to gw1: up", "link to gw2: up")
        .containsPattern("packets: [0-9]{3,} forwarded");
  }

  private String status(String name) throws Exception {
    try (Verb asked =
        Verb.start(
            folder, "gateway", "status", "--control", folder.resolve(name + ".sock").toString())) {
      assertThat(asked.await()).as(asked.text()).isZero();
      return asked.text();
    }
  }

  private Process near(String peer) throws Exception {
    return gateway("gw1", true, concat(dial(peer), route("b", peer)));
  }

  private Process between() throws Exception {
    return gateway(
        "mid",
        false,
        concat(accept("mid", "gw1"), route("a", "gw1"), dial("gw2"), route("b", "gw2")));
  }

  private Process far(String peer) throws Exception {
    return gateway("gw2", true, concat(accept("gw2", peer), route("a", peer)));
  }

  private List<String> dial(String peer) {
    return List.of(
        "--dial", peer + "=" + lab.site(peer).address() + ":7800,key=" + folder.resolve("key"));
  }

  private List<String> accept(String name, String peer) {
    return List.of(
        "--listen",
        lab.site(name).address() + ":7800",
        "--accept",
        peer + ",key=" + folder.resolve("key"));
  }

  private List<String> route(String host, String peer) {
    return List.of("--route", lab.site(host).address() + "/32=" + peer);
  }

  @SafeVarargs
  private static List<String> concat(List<String>... some) {
    List<String> all = new ArrayList<>();
    for (List<String> each : some) {
      all.addAll(each);
    }
    return all;
  }

  private Process gateway(String name, boolean hasTun, List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("gateway", "up", "--name", name, "--address"));
    arguments.add(lab.site(name).address());
    arguments.addAll(List.of("--control", folder.resolve(name + ".sock").toString()));
    if (hasTun) {
      arguments.addAll(List.of("--tun", "tunnel0"));
    }
    arguments.addAll(options);
    return gateways.start(name, arguments, "gateway ready: " + name);
  }
}
