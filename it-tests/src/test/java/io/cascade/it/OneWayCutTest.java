package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A link that loses all packets of one direction while a file goes over it: the relay, or the
 * sender, is behind it on one side, the receiver and the orchestrator are on the other.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OneWayCutTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BYTES = 16_000_000;
  private static final int PORT = 7_990;

  /** Each takes twice as long as the one before it: some ten seconds. */
  private static final long RETRANSMISSIONS = 6;

  private static final LinkShape OPEN =
      LinkShape.of(Duration.ofMillis(5), 20_000_000).withQueueBytes(200_000);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private SiteProcesses processes;

  /** The direction whose packets are lost. */
  enum Direction {
    TO_THE_RECEIVER,
    FROM_THE_RECEIVER
  }

  @BeforeEach
  void up() throws Exception {
    SiteProcesses.assumeDevices("labs");
    lab =
        Lab.up(
            new Topology(
                "one-way-" + ProcessHandle.current().pid() % 100_000,
                1,
                List.of(
                    new SiteSpec("here", "cubic", List.of()),
                    new SiteSpec("mid", "cubic", List.of("r1")),
                    new SiteSpec("there", "cubic", List.of())),
                List.of(
                    LinkSpec.symmetric("here", "mid", OPEN),
                    LinkSpec.symmetric("mid", "there", OPEN)),
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

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aFileGoesOnThroughARelayOnceBothDirectionsAreOpen(Direction cut) throws Exception {
    goesOn(cut, "mid", "--via", "r1");
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aFileGoesOnDirectlyOnceBothDirectionsAreOpen(Direction cut) throws Exception {
    goesOn(cut, "here", "--direct");
  }

  /**
   * @param from the site whose kernel sends over the link and gets no acknowledgment
   * @param way as options
   */
  private void goesOn(Direction cut, String from, String... way) throws Exception {
    byte[] content = new byte[BYTES];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("sent"), content);
    Path into = Files.createDirectory(folder.resolve("into"));
    Process receive =
        processes.start(
            "there",
            List.of(
                "receive",
                "--open-to-anyone",
                "--listen",
                "0.0.0.0:" + PORT,
                "--output",
                into.toString()),
            "receiving on");
    List<String> verb = new ArrayList<>(List.of("send", file.toString(), "--to", "there:" + PORT));
    verb.addAll(List.of(way));
    Process send = processes.start("here", verb, "");
    awaitArrived(into, send);

    LinkShape down = OPEN.withDown(true);
    long before = retransmissions(from);
    lab.link("mid", "there")
        .shape(
            cut == Direction.TO_THE_RECEIVER ? down : OPEN,
            cut == Direction.FROM_THE_RECEIVER ? down : OPEN);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> retransmissions(from) - before >= RETRANSMISSIONS);
    assertThat(into.resolve("sent")).doesNotExist();
    assertThat(send.isAlive()).isTrue();
    lab.link("mid", "there").shape(OPEN);

    assertThat(send.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(send.exitValue()).isZero();
    assertThat(receive.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(into.resolve("sent")).hasBinaryContent(content);
  }

  /** Waits until the receiver has written a quarter. */
  private static void awaitArrived(Path into, Process send) {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          assertThat(send.isAlive()).isTrue();
          try {
            return Files.size(into.resolve(".sent.cascade-part")) > BYTES / 4;
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** Segments that the site's kernel has sent again. */
  private long retransmissions(String site) {
    String[] lines =
        lab.site(site)
            .run("cat", "/proc/net/snmp")
            .out()
            .lines()
            .filter(line -> line.startsWith("Tcp:"))
            .toArray(String[]::new);
    List<String> names = List.of(lines[0].split(" ", -1));
    return Long.parseLong(lines[1].split(" ", -1)[names.indexOf("RetransSegs")]);
  }
}
