package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.lab.Lab;
import io.cascade.lab.Site;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code send} through a relay over a first leg that loses packets, where it may not take BBR. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirstHopOverLossyPathTest {
  private static final int BYTES = 24_000_000;
  private static final int PORT = 7_990;

  /** Above what handshakes take; the kernel counts up to 32 that it cuts itself as one. */
  private static final long MANY_DATAGRAMS = 300;

  /** Bytes of one, at most: the links' MTU. */
  private static final long LONGEST_DATAGRAM = 1_500;

  /** What a policer of 1 Mbit/s with a burst of a second drops, as iptables has it. */
  private static final String[] ABOVE_A_MEGABIT = {
    "-m", "hashlimit", "--hashlimit-name", "udp",
    "--hashlimit-above", "122kb/s", "--hashlimit-burst", "122kb"
  };

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

    assertThat(datagrams("here", "OutDatagrams")).isGreaterThan(MANY_DATAGRAMS);
  }

  @Test
  void whereUdpIsBlockedTcpCarriesAlone() throws Exception {
    dropUdp();

    assertThat(send("--via", "r1")).contains("\"relays\":[\"r1\"]");

    assertThat(datagrams("here", "OutDatagrams")).isLessThan(MANY_DATAGRAMS);
  }

  /** A session stands there, loses most of what it sends, and must not hold the file up. */
  @ParameterizedTest
  @ValueSource(strings = {"--via=r1", "--direct"})
  void whereUdpIsPolicedTcpCarriesTheLargerPart(String way) throws Exception {
    dropUdp(ABOVE_A_MEGABIT);

    String _ = send(way);

    assertThat(droppedDatagrams()).as("dropped by the policer").isPositive();
    assertThat(datagrams("there", "InDatagrams") * LONGEST_DATAGRAM).isLessThan(BYTES / 2);
  }

  /** No relay is there: the receiver's end of the session is the one that repairs and tells. */
  @Test
  void aReceiverGetsTheFileDirectlyByACodedSession() throws Exception {
    assertThat(send("--direct")).doesNotContain("\"relays\":[\"r1\"]");

    assertThat(datagrams("here", "OutDatagrams")).isGreaterThan(MANY_DATAGRAMS);
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

  /**
   * Has the receiver's host drop datagrams.
   *
   * @param which by iptables; all where none are said
   */
  private void dropUdp(String... which) {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/iptables")), "SKIPPED: dropping UDP needs iptables");
    List<String> command = new ArrayList<>(List.of("iptables", "-A", "INPUT", "-p", "udp"));
    command.addAll(List.of(which));
    command.addAll(List.of("-j", "DROP"));
    Site.Ran ran = lab.site("there").run(command.toArray(String[]::new));
    assertThat(ran.exitCode()).as(ran.err()).isZero();
  }

  private long droppedDatagrams() {
    return lab.site("there")
        .run("iptables", "-L", "INPUT", "-v", "-n", "-x")
        .out()
        .lines()
        .filter(line -> line.contains("DROP"))
        .mapToLong(line -> Long.parseLong(line.strip().split(" +", 2)[0]))
        .sum();
  }

  /**
   * @param counter of the kernel, such as {@code InDatagrams}, which has none that were dropped
   */
  private long datagrams(String site, String counter) {
    String[] lines =
        lab.site(site)
            .run("cat", "/proc/net/snmp")
            .out()
            .lines()
            .filter(line -> line.startsWith("Udp:"))
            .toArray(String[]::new);
    List<String> names = List.of(lines[0].split(" ", -1));
    return Long.parseLong(lines[1].split(" ", -1)[names.indexOf(counter)]);
  }
}
