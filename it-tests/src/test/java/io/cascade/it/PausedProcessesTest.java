package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every process that has to do with a transfer stands still for a while, one after the other, as a
 * virtual machine does that is moved. By hand also longer: {@code -Dpause.seconds=120}.
 */
@Timeout(1_200)
class PausedProcessesTest {
  private static final Duration PAUSE = Duration.ofSeconds(Long.getLong("pause.seconds", 5));
  private static final int BYTES = 96 << 20;
  private static final long EIGHTH = BYTES / 8;
  private static final List<String> RELAYS = List.of("r1", "r2", "r3");

  @TempDir private Path folder;

  @Test
  void aFileArrivesAlthoughEachProcessStandsStillInTurn() throws Exception {
    byte[] content = new byte[BYTES];
    new Random(2).nextBytes(content);
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
              "60Mbit")) {
        Map<String, Verb> processes = new LinkedHashMap<>();
        RELAYS.forEach(name -> processes.put(name, cluster.relay(name)));
        processes.put("send", send);
        processes.put("receive", receive);
        // Last: the file arrives meanwhile.
        processes.put("orchestrator", cluster.orchestrator());
        int eighths = 1;
        for (Map.Entry<String, Verb> process : processes.entrySet()) {
          awaitArrived(into, send, eighths++);
          pause(process.getValue(), PAUSE);
          System.out.printf("%s stood still for %d s%n", process.getKey(), PAUSE.toSeconds());
        }

        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
        assertThat(into.resolve("file.bin")).hasBinaryContent(content);
      }
      cluster.awaitMeasured();
    }
  }

  /** Longer than a coded session outlives, and shorter than the sender's patience. */
  @Test
  void aFileArrivesAlthoughItsReceiverStandsStillForHalfAMinute() throws Exception {
    byte[] content = new byte[BYTES];
    new Random(3).nextBytes(content);
    Path file = Files.write(folder.resolve("file.bin"), content);
    Path into = Files.createDirectory(folder.resolve("into"));
    try (Verb receive =
        Verb.start(folder, "receive", "--listen", "127.0.0.1:0", "--output", into.toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      try (Verb send =
          Verb.start(folder, "send", file.toString(), code, "--direct", "--limit", "60Mbit")) {
        awaitArrived(into, send, 1);
        pause(receive, Duration.ofSeconds(30));

        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
        assertThat(into.resolve("file.bin")).hasBinaryContent(content);
      }
    }
  }

  private static void pause(Verb process, Duration time) throws Exception {
    process.signal("STOP");
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } finally {
      process.signal("CONT");
    }
  }

  /** Waits until the receiver has written so many eighths. */
  private static void awaitArrived(Path into, Verb send, int eighths) {
    await()
        .atMost(Cluster.PATIENCE.plus(PAUSE))
        .until(() -> {
          assertThat(send.running()).as(send.text()).isTrue();
          try {
            return Files.size(into.resolve(".file.bin.cascade-part")) > eighths * EIGHTH;
          } catch (IOException e) {
            return false;
          }
        });
  }
}
