package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * A pair of splitter/combiners whose two pipes are coded: on each lossy path two gateways, which
 * know nothing of the splitters.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CodedPipesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long BYTES = 4_000_000;

  /** Packets by which a path has carried a part of the connection's data. */
  private static final long A_PART = 500;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses processes;

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("splitters and gateways");
    Path key = Files.writeString(folder.resolve("key"), "3c".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    LinkShape local = LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED);
    List<SiteSpec> sites = new ArrayList<>();
    for (String site :
        List.of("sender", "split", "near1", "far1", "near2", "far2", "combine", "receiver")) {
      sites.add(new SiteSpec(site, "reno", List.of()));
    }
    lab =
        Lab.up(
            new Topology(
                "coded-pipes-" + ProcessHandle.current().pid(),
                1,
                sites,
                List.of(
                    LinkSpec.symmetric("sender", "split", local),
                    LinkSpec.symmetric("split", "near1", local),
                    LinkSpec.symmetric("near1", "far1", lossy(10)),
                    LinkSpec.symmetric("far1", "combine", local),
                    LinkSpec.symmetric("split", "near2", local),
                    LinkSpec.symmetric("near2", "far2", lossy(20)),
                    LinkSpec.symmetric("far2", "combine", local),
                    LinkSpec.symmetric("combine", "receiver", local)),
                null,
                List.of()));
    processes = new SiteProcesses(lab, folder);
  }

  private static LinkShape lossy(int delayMillis) {
    return LinkShape.of(Duration.ofMillis(delayMillis), 6_000_000)
        .withQueueBytes(75_000)
        .withLoss(new Loss.Bernoulli(0.03));
  }

  @AfterEach
  void down() {
    if (lab != null) {
      processes.close();
      lab.close();
    }
  }

  @Test
  void carryOneConnectionTogetherAndLoseNothing() throws Exception {
    for (String path : List.of("1", "2")) {
      gateway("far" + path, "sender", "near" + path, accept("far" + path, "near" + path));
      gateway("near" + path, "receiver", "far" + path, dial("far" + path));
    }
    scap("split", "to-sender", "receiver", "to-near");
    scap("combine", "to-receiver", "sender", "to-far");

    try (TrafficSink sink = TrafficSink.at(lab.site("receiver"), 1);
        Sender sender =
            Sender.connect(
                lab.site("sender"),
                new InetSocketAddress(lab.site("receiver").address(), sink.port()),
                1)) {
      sender.send(BYTES);
      assertThat(sink.awaitEnd((double) PATIENCE.toSeconds())).as(status()).isTrue();
      assertThat(sink.bytes()).isEqualTo(BYTES);
    }
    assertThat(packetsBy("1")).isGreaterThan(A_PART);
    assertThat(packetsBy("2")).isGreaterThan(A_PART);
    assertThat(status()).contains("link to far1: up");
  }

  private long packetsBy(String path) {
    return lab.statistics().of("near" + path, "far" + path).forwardedPackets();
  }

  private String status() throws Exception {
    try (Verb asked =
        Verb.start(
            folder, "gateway", "status", "--control", folder.resolve("near1.sock").toString())) {
      assertThat(asked.await()).as(asked.text()).isZero();
      return asked.text();
    }
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

  /** A gateway that carries packets for a host by a peer. */
  private void gateway(String name, String host, String peer, List<String> link) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("gateway", "up", "--name", name, "--address", lab.site(name).address()));
    arguments.addAll(List.of("--control", folder.resolve(name + ".sock").toString()));
    arguments.addAll(List.of("--tun", "tunnel0"));
    arguments.addAll(List.of("--route", lab.site(host).address() + "/32=" + peer));
    arguments.addAll(link);
    processes.start(name, arguments, "gateway ready: " + name);
  }

  private void scap(String site, String near, String far, String pipe) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("scap", "up", "--near", near, "--mode", "pair", "--far"));
    arguments.add(lab.site(far).address());
    for (String of : List.of("1,rtt=30ms", "2,rtt=50ms")) {
      arguments.addAll(List.of("--pipe", pipe + of + ",rate=5Mbit,queue=75kB"));
    }
    processes.start(site, arguments, "scap ready");
  }
}
