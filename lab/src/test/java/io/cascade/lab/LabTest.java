package io.cascade.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.command.CommandException;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real packets over real devices in real namespaces: one lab of a, b and c in a row. */
@Tag("slow")
class LabTest {
  private static final LinkShape IDEAL = LinkShape.of(Duration.ofMillis(10), LinkShape.UNLIMITED);
  private static final Duration LENGTH = Duration.ofSeconds(1);

  @SuppressWarnings("NullAway.Init")
  private static Lab lab;

  @BeforeAll
  static void up() {
    assumeLabsWork();
    lab = Lab.up(row("test-" + ProcessHandle.current().pid()));
  }

  @AfterAll
  static void down() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void packetsTakeTheDelayOfEveryLinkOnTheirWayAndArriveInOrderAndIntact() throws Exception {
    reset();

    DatagramRun run = run("a", "c", 1_500, 1_000);

    assertThat(run.received()).isEqualTo(run.sent());
    assertThat(run.reordered()).isZero();
    assertThat(run.corrupted()).isZero();
    // Never less than the links say; how much more depends on how busy the machine is.
    assertThat(run.oneWayNanos().getMinValue()).isGreaterThanOrEqualTo(19_900_000);
  }

  @Test
  void losesWhatItIsTold() throws Exception {
    reset();
    double probability = 0.05;
    lab.link("a", "b").shape(IDEAL.withLoss(new Loss.Bernoulli(probability)));

    DatagramRun run = run("a", "b", 200, 10_000);

    double mean = run.sent() * probability;
    assertThat((double) (run.sent() - run.received()))
        .isCloseTo(mean, within(3.3 * Math.sqrt(mean * (1 - probability)))); // 99.9 %: no flakes
  }

  @Test
  void deliversAtTheRateAndDropsWhatFindsTheQueueFull() throws Exception {
    reset();
    LinkShape shape = LinkShape.of(Duration.ofMillis(10), 40_000_000).withQueueBytes(3_000_000);
    lab.link("a", "b").shape(shape);
    DirectionStatistics before = lab.link("a", "b").statistics();

    // As fast as the sender can: twice what the queue holds.
    DatagramRun run = run("a", "b", 1_500, 4_000_000, Duration.ofMillis(1));

    // How near the receiver finds it depends on how late a busy machine lets it look.
    assertThat(run.receivedBits() / run.receivingSeconds()).isCloseTo(40e6, within(6e6));
    DirectionStatistics after = lab.link("a", "b").statistics();
    assertThat(after.droppedPackets() - before.droppedPackets())
        .isEqualTo(run.sent() - run.received())
        .isPositive();
    assertThat(after.overflowedPackets()).isZero();
  }

  @Test
  void aChangedLinkIsChangedAtOnceInTheDirectionThatIsNamed() throws Exception {
    reset();
    lab.link("a", "b").changeForward(ShapeChange.of(List.of("down=true")));

    assertThat(run("a", "b", 200, 200).received()).isZero();
    DatagramRun back = run("b", "a", 200, 200);
    assertThat(back.received()).isEqualTo(back.sent());
  }

  @Test
  void sitesHaveNamesTheirCongestionControlAndNoMemoryOfPaths() {
    assertThat(lab.site("a").run("getent", "hosts", "c").out()).startsWith(lab.site("c").address());
    assertThat(setting("b", "tcp_congestion_control")).isEqualTo("reno");
    assertThat(setting("c", "tcp_congestion_control")).isEqualTo("cubic");
    assertThat(setting("a", "tcp_no_metrics_save")).isEqualTo("1");
    assertThat(lab.site("a").run("sh", "-c", "exit 7").exitCode()).isEqualTo(7);
  }

  @Test
  void aConnectionReachesTheRateOfTheSlowestLink() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/iperf3")),
        "SKIPPED: needs iperf3 (apt install iperf3)");
    reset();
    lab.link("b", "c").shape(LinkShape.of(Duration.ofMillis(5), 20_000_000));
    Process server = lab.site("c").start("iperf3", "--server", "--one-off", "--forceflush");
    try (var lines = server.inputReader()) {
      while (!String.valueOf(lines.readLine()).contains("listening")) {
        assertThat(server.isAlive()).isTrue();
      }
      Site.Ran ran = lab.site("a").run("iperf3", "-c", "c", "-t", "4", "-O", "1", "-f", "k");
      double kilobits =
          ran.out()
              .lines()
              .filter(line -> line.contains("receiver"))
              .map(line -> line.replaceFirst(".*Bytes\\s+([0-9.]+) Kbits.*", "$1"))
              .mapToDouble(Double::parseDouble)
              .findFirst()
              .orElseThrow(() -> new AssertionError(ran));
      // 1448 bytes of data in each packet of 1500: never faster. How near it comes is TCP's affair.
      assertThat(kilobits).isBetween(0.7 * 19_307, 1.02 * 19_307);
    } finally {
      server.destroy();
    }
  }

  @Test
  void nothingIsLeftOfALabThatWasTakenDown() throws IOException {
    Lab other = Lab.up(row("gone-" + ProcessHandle.current().pid()));
    String id = other.state().id();
    Process sleeper = other.site("b").start("sleep", "1000");
    // The lab's own and the command, which is known by what it runs, and that comes in a moment.
    await().untilAsserted(() -> assertThat(LabProcesses.of(id)).hasSizeGreaterThanOrEqualTo(2));

    other.close();

    assertThat(sleeper.isAlive()).isFalse();
    assertThat(LabProcesses.of(id)).isEmpty();
    assertThat(other.folder()).doesNotExist();
    assertThat(Lab.names()).doesNotContain(other.name());
  }

  @Test
  void whatAKilledLabLeftIsRemovedByTheNextOne() throws Exception {
    Lab killed = Lab.up(row("killed-" + ProcessHandle.current().pid()));
    String id = killed.state().id();
    Process sleeper = killed.site("b").start("sh", "-c", "echo there; exec sleep 1000");
    assertThat(sleeper.inputReader().readLine()).isEqualTo("there");
    ProcessHandle host = ProcessHandle.of(killed.state().hostPid()).orElseThrow();
    host.destroyForcibly();
    host.onExit().get();
    assertThatThrownBy(killed::statistics).isInstanceOf(CommandException.class);

    DeadLabs.remove();

    assertThat(sleeper.waitFor()).isNotZero();
    assertThat(LabProcesses.of(id)).isEmpty();
    assertThat(killed.folder()).doesNotExist();
  }

  @Test
  void aLabIsAliveAfterAGarbageCollectionOfItsProcess() throws Exception {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String host = Long.toString(lab.state().hostPid());
    assertThat(new ProcessBuilder(jcmd, host, "GC.run").start().waitFor()).isZero();

    DeadLabs.remove();

    assertThat(lab.statistics().directions()).hasSize(4);
  }

  @Test
  void aLabThatCannotComeUpSaysWhyAndLeavesNothing() {
    Topology impossible =
        new Topology(
            "bad-" + ProcessHandle.current().pid(),
            1,
            List.of(new SiteSpec("a", "no-such-control", List.of())),
            List.of(),
            null,
            List.of());

    assertThatThrownBy(() -> Lab.up(impossible))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("congestion-control: no-such-control (expected: one of");
    assertThat(LabFolder.of(impossible.name()).path()).doesNotExist();
  }

  private static Topology row(String name) {
    return new Topology(
        name,
        1,
        List.of(
            new SiteSpec("a", "reno", List.of()),
            new SiteSpec("b", "reno", List.of()),
            new SiteSpec("c", "cubic", List.of())),
        List.of(LinkSpec.symmetric("a", "b", IDEAL), LinkSpec.symmetric("b", "c", IDEAL)),
        null,
        List.of());
  }

  private static void reset() {
    lab.link("a", "b").shape(IDEAL);
    lab.link("b", "c").shape(IDEAL);
  }

  private static DatagramRun run(String from, String to, int bytes, double packetsPerSecond)
      throws Exception {
    return run(from, to, bytes, packetsPerSecond, LENGTH);
  }

  private static DatagramRun run(
      String from, String to, int bytes, double packetsPerSecond, Duration length)
      throws Exception {
    return DatagramRun.between(lab.site(from), lab.site(to), bytes, packetsPerSecond, length);
  }

  private static String setting(String site, String name) {
    return lab.site(site).run("cat", "/proc/sys/net/ipv4/" + name).out().strip();
  }

  private static void assumeLabsWork() {
    assumeTrue(LabRequirements.userId() == 0, "SKIPPED: needs root");
    try {
      LabRequirements.check();
    } catch (CommandException e) {
      assumeTrue(false, "SKIPPED: " + e.getMessage());
    }
  }
}
