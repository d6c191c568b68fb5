package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code send} through a relay over a first leg that loses packets, where it may not take BBR. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirstHopOverLossyPathTest {
  private static final int BYTES = 24_000_000;
  private static final int PORT = 7_990;

  /** Above what handshakes take; the kernel counts up to 32 that it cuts itself as one. */
  private static final long MANY_DATAGRAMS = 300;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses processes;

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("labs");
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(15), 30_000_000)
            .withQueueBytes(400_000)
            .withLoss(new Loss.Bernoulli(0.01));
    lab =
        Lab.up(
            new Topology(
                "first-hop-" + ProcessHandle.current().pid() % 100_000,
                1,
                List.of(
                    new SiteSpec("here", "cubic", List.of()),
                    new SiteSpec("there", "cubic", List.of("r1"))),
                List.of(LinkSpec.symmetric("here", "there", lossy)),
                "there",
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
  void aCodedSessionCarriesToTheFirstRelay() throws Exception {
    assertThat(send("--via", "r1")).contains("\"relays\":[\"r1\"]");

    assertThat(datagramsFromHere()).isGreaterThan(MANY_DATAGRAMS);
  }

  @Test
  void whereUdpIsBlockedTcpCarriesAlone() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/iptables")), "SKIPPED: blocking UDP needs iptables");
    assertThat(
            lab.site("there").run("iptables", "-A", "INPUT", "-p", "udp", "-j", "DROP").exitCode())
        .isZero();

    assertThat(send("--via", "r1")).contains("\"relays\":[\"r1\"]");

    assertThat(datagramsFromHere()).isLessThan(MANY_DATAGRAMS);
  }

  /** No relay is there: the receiver's end of the session is the one that repairs and tells. */
  @Test
  void aReceiverGetsTheFileDirectlyByACodedSession() throws Exception {
    assertThat(send("--direct")).doesNotContain("\"relays\":[\"r1\"]");

    assertThat(datagramsFromHere()).isGreaterThan(MANY_DATAGRAMS);
  }

  /**
   * @param way as options
   * @return what it says of the transfer, without spaces
   */
  private String send(String... way) throws Exception {
    byte[] content = new byte[BYTES];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("sent"), content);
    Path received = folder.resolve("received");
    processes.start(
        "there",
        List.of(
            "receive",
            "--open-to-anyone",
            "--listen",
            "0.0.0.0:" + PORT,
            "--output",
            received.toString()),
        "receiving on");
    List<String> verb =
        new ArrayList<>(List.of("send", file.toString(), "--to", "there:" + PORT, "--json"));
    verb.addAll(List.of("--controls", "own"));
    verb.addAll(List.of(way));
    String said = processes.run("here", verb).replaceAll("\\s", "");

    assertThat(said).contains("\"verified\":true");
    assertThat(received).hasSameBinaryContentAs(file);
    return said;
  }

  private long datagramsFromHere() {
    String[] lines =
        lab.site("here")
            .run("cat", "/proc/net/snmp")
            .out()
            .lines()
            .filter(line -> line.startsWith("Udp:"))
            .toArray(String[]::new);
    List<String> names = List.of(lines[0].split(" ", -1));
    return Long.parseLong(lines[1].split(" ", -1)[names.indexOf("OutDatagrams")]);
  }
}
