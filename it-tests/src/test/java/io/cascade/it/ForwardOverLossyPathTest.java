package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.lab.Lab;
import io.cascade.lab.Site;
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
 * {@code forward} at both ends of a path that loses packets, with no relay and no orchestrator: its
 * connections respond, and a coded session carries beside them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ForwardOverLossyPathTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PIPES_PORT = 7500;
  private static final int CLIENTS_PORT = 7501;

  /** Takes long enough for losses to be seen and answered while it runs. */
  private static final long BYTES = 24_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses processes;

  private Path key;

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("labs");
    key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(15), 30_000_000)
            .withQueueBytes(400_000)
            .withLoss(new Loss.Bernoulli(0.01));
    List<SiteSpec> sites = new ArrayList<>();
    for (String site : List.of("here", "there")) {
      sites.add(new SiteSpec(site, "cubic", List.of()));
    }
    lab =
        Lab.up(
            new Topology(
                "forward-lossy-" + ProcessHandle.current().pid(),
                1,
                sites,
                List.of(LinkSpec.symmetric("here", "there", lossy)),
                null,
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
  void aCodedSessionCarriesBesideTcp() throws Exception {
    carry(List.of("--controls", "own"), "a coded session is used beside TCP");

    assertThat(datagramsFrom("here")).isPositive();
  }

  @Test
  void whereUdpIsBlockedTcpCarriesAlone() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/iptables")), "SKIPPED: blocking UDP needs iptables");
    Site there = lab.site("there");
    assertThat(there.run("iptables", "-A", "INPUT", "-p", "udp", "-j", "DROP").exitCode()).isZero();

    carry(List.of(), "only TCP is used");
  }

  @Test
  void aConnectionThatLosesPacketsTakesBbr() throws Exception {
    assumeTrue(
        Files.readString(Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control"))
            .contains("bbr"),
        "SKIPPED: needs a kernel with BBR (modprobe tcp_bbr)");
    assertThat(controlOfPipe(List.of())).contains("bbr");
  }

  @Test
  void itKeepsTheHostsControlWhereNoOtherIsAllowed() throws Exception {
    assertThat(controlOfPipe(List.of("--controls", "own"))).doesNotContain("bbr");
  }

  /** Carries a stream to its end, and waits until the near end has said something. */
  private void carry(List<String> options, String says) throws Exception {
    try (TrafficSink sink = TrafficSink.at(lab.site("there"), 1)) {
      Path said = forward(sink.port(), options);
      try (Sender sender = sender()) {
        sender.send(BYTES);
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(Files.readString(said)).contains(says));
        assertThat(sink.awaitEnd((double) PATIENCE.toSeconds())).isTrue();
        assertThat(sink.bytes()).isEqualTo(BYTES);
      }
    }
  }

  /** What the kernel says of the pipe's connection once the path is known to lose packets. */
  private String controlOfPipe(List<String> options) throws Exception {
    try (TrafficSink sink = TrafficSink.at(lab.site("there"), 1)) {
      Path said = forward(sink.port(), options);
      try (Sender sender = sender()) {
        sender.send(BYTES);
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(Files.readString(said)).contains("loses packets"));
        return lab.site("here").run("ss", "-tin", "dport = :" + PIPES_PORT).out();
      }
    }
  }

  private Sender sender() throws Exception {
    Site here = lab.site("here");
    return Sender.connect(here, new InetSocketAddress(here.address(), CLIENTS_PORT), 1);
  }

  /** Starts both ends; returns what the near one writes. */
  private Path forward(int destination, List<String> options) throws Exception {
    Site there = lab.site("there");
    List<String> far =
        new ArrayList<>(List.of("forward", "--accept", there.address() + ":" + PIPES_PORT));
    far.addAll(List.of("--to", there.address() + ":" + destination, "--key-file", key.toString()));
    far.addAll(options);
    processes.start("there", far, "ready");
    List<String> near = new ArrayList<>(List.of("forward", "--chains", "0"));
    near.addAll(List.of("--listen", lab.site("here").address() + ":" + CLIENTS_PORT));
    near.addAll(List.of("--to", there.address() + ":" + PIPES_PORT, "--key-file", key.toString()));
    near.addAll(options);
    return processes.startToFile("here", near, "ready");
  }

  /** Datagrams that the site's processes have sent. */
  private long datagramsFrom(String site) {
    String[] lines =
        lab.site(site)
            .run("cat", "/proc/net/snmp")
            .out()
            .lines()
            .filter(line -> line.startsWith("Udp:"))
            .toArray(String[]::new);
    List<String> names = List.of(lines[0].split(" ", -1));
    return Long.parseLong(lines[1].split(" ", -1)[names.indexOf("OutDatagrams")]);
  }
}
