package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that is sent through named relays alone, of which every one dies, stops or stands still in
 * its turn.
 */
@Timeout(240)
class SentFileSurvivesTest {
  private static final int BYTES = 96 << 20;
  private static final List<String> RELAYS = List.of("r1", "r2", "r3");

  @TempDir private Path folder;

  @Test
  void firstMiddleAndLastRelayAndTheOrchestrator() throws Exception {
    byte[] content = new byte[BYTES];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("file.bin"), content);
    Path into = Files.createDirectory(folder.resolve("into"));
    try (Cluster cluster = Cluster.start(folder);
        Verb receive =
            Verb.start(folder, "receive", "--listen", "127.0.0.1:0", "--output", into.toString())) {
      String at = receive.awaitLine("receiving on (\\S+)").group(1);
      try (Verb send =
          cluster.verb(
              "send",
              file.toString(),
              "--to",
              at,
              "--via",
              String.join(",", RELAYS),
              "--pacing-rate",
              "100Mbit")) {
        for (int i = 0; i < RELAYS.size(); i++) {
          awaitArrived(into, send, (i + 1) * BYTES / 8);
          cluster.relay(RELAYS.get(i)).kill();
          send.awaitLine("lost the way via");
          cluster.startRelay(RELAYS.get(i));
        }
        for (int i = 0; i < RELAYS.size(); i++) {
          awaitArrived(into, send, (i + 4) * BYTES / 8);
          signal(cluster.relay(RELAYS.get(i)), "STOP");
          signal(cluster.relay(RELAYS.get(i)), "CONT");
        }
        awaitArrived(into, send, 7 * (BYTES / 8));
        cluster.orchestrator().kill();

        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
        assertThat(into.resolve("file.bin")).hasBinaryContent(content);
      }
    }
  }

  /** Waits until the receiver has written that far. */
  private static void awaitArrived(Path into, Verb send, int bytes) {
    await()
        .atMost(Cluster.PATIENCE.multipliedBy(2))
        .until(() -> {
          assertThat(send.running()).as(send.text()).isTrue();
          try {
            return Files.size(into.resolve("file.bin.part")) > bytes;
          } catch (IOException e) {
            return false;
          }
        });
  }

  private static void signal(Verb relay, String name) throws Exception {
    int exit = new ProcessBuilder("kill", "-" + name, Long.toString(relay.pid())).start().waitFor();
    assertThat(exit).isZero();
  }
}
