package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelayStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that is sent through named relays alone, of which every one dies, drains, and stands still
 * for longer than the sender waits. Sender and receiver are the same processes all the time.
 */
@Timeout(360)
class SentFileSurvivesTest {
  private static final int BYTES = 96 << 20;
  private static final long SIXTEENTH = BYTES / 16;
  private static final List<String> RELAYS = List.of("r1", "r2", "r3");

  /** Slow enough that the transfer still runs when the last relay is stopped, on a busy machine. */
  private static final String PACE = "50Mbit";

  /** Of the kernel's table: local port, port of the other end. */
  private static final Pattern ESTABLISHED =
      Pattern.compile(" *[0-9]+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 ");

  @TempDir private Path folder;

  @Test
  void firstMiddleAndLastRelayDieDrainAndPauseAndTheOrchestratorDies() throws Exception {
    byte[] content = new byte[BYTES];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("file.bin"), content);
    Path into = Files.createDirectory(folder.resolve("into"));
    try (Cluster cluster = Cluster.start(folder);
        Verb receive =
            Verb.start(folder, "receive", "--listen", "127.0.0.1:0", "--output", into.toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      try (Verb send =
          cluster.verb(
              "send",
              file.toString(),
              code,
              "--via",
              String.join(",", RELAYS),
              "--pacing-rate",
              PACE)) {
        for (int i = 0; i < RELAYS.size(); i++) {
          awaitArrived(into, send, 2 * (i + 1));
          Set<Integer> connections = awaitConnections(cluster, send);
          cluster.relay(RELAYS.get(i)).kill();
          awaitGivenUp(cluster, send, connections);
          cluster.startRelay(RELAYS.get(i));
        }
        awaitArrived(into, send, 7);
        for (String relay : RELAYS) {
          assertThat(cluster.client().drain(relay).status()).isEqualTo(RelayStatus.DRAINING);
        }
        awaitArrived(into, send, 8);
        RELAYS.forEach(relay -> cluster.client().useAgain(relay));
        for (int i = 0; i < RELAYS.size(); i++) {
          awaitArrived(into, send, 2 * (i + 4));
          Verb relay = cluster.relay(RELAYS.get(i));
          Set<Integer> connections = awaitConnections(cluster, send);
          signal(relay, "STOP");
          try {
            awaitGivenUp(cluster, send, connections);
          } finally {
            signal(relay, "CONT");
          }
        }
        awaitArrived(into, send, 14);
        cluster.orchestrator().kill();

        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
        assertThat(into.resolve("file.bin")).hasBinaryContent(content);
      }
    }
  }

  /** Waits until the receiver has written so many sixteenths. */
  private static void awaitArrived(Path into, Verb send, int sixteenths) {
    await()
        .atMost(Cluster.PATIENCE.multipliedBy(2))
        .until(() -> {
          assertThat(send.running()).as(send.text()).isTrue();
          try {
            return Files.size(into.resolve(".file.bin.cascade-part")) > sixteenths * SIXTEENTH;
          } catch (IOException e) {
            return false;
          }
        });
  }

  private static Set<Integer> awaitConnections(Cluster cluster, Verb send) {
    Set<Integer> found = new HashSet<>();
    await()
        .atMost(Cluster.PATIENCE)
        .untilAsserted(() -> {
          assertThat(send.running()).as(send.text()).isTrue();
          found.addAll(connections(cluster));
          assertThat(found).as("%s\n%s", cluster.client().chains(), send.text()).isNotEmpty();
        });
    return found;
  }

  /** Waits until the sender has none of these connections left, while it goes on. */
  private static void awaitGivenUp(Cluster cluster, Verb send, Set<Integer> connections) {
    await()
        .atMost(Cluster.PATIENCE.multipliedBy(2))
        .until(() -> {
          assertThat(send.running()).as(send.text()).isTrue();
          return Collections.disjoint(connections(cluster), connections);
        });
  }

  /** Local ports of established connections to the chain's ingress, as the kernel lists them. */
  private static Set<Integer> connections(Cluster cluster) throws IOException {
    Set<Integer> ingresses =
        cluster.client().chains().chains().stream()
            .flatMap(chain -> Stream.ofNullable(chain.ingress()))
            .map(Endpoint::port)
            .collect(Collectors.toSet());
    Set<Integer> ports = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        Matcher entry = ESTABLISHED.matcher(line);
        if (entry.lookingAt() && ingresses.contains(Integer.parseInt(entry.group(2), 16))) {
          ports.add(Integer.parseInt(entry.group(1), 16));
        }
      }
    }
    return ports;
  }

  private static void signal(Verb relay, String name) throws Exception {
    int exit = new ProcessBuilder("kill", "-" + name, Long.toString(relay.pid())).start().waitFor();
    assertThat(exit).isZero();
  }
}
