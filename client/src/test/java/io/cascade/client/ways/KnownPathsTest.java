package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.coded.PathMemory.KnownPath;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownPathsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final InetAddress PEER = InetAddress.ofLiteral("192.0.2.7");
  private static final KnownPath PATH = new KnownPath(2_000_000, Duration.ofMillis(160), 0.005);
  private static final long NANOS = Duration.ofDays(1).toNanos();

  @TempDir private Path folder;

  @Test
  void theNextProcessKnowsThePath() {
    KnownPaths first = at(NOW);
    first.memory().note(PEER, PATH, NANOS);
    first.keep();

    assertThat(at(NOW.plusSeconds(600)).memory().known(NANOS))
        .containsEntry(PEER, new PathMemory.Aged(PATH, Duration.ofMinutes(10)));
  }

  /** Two processes that learn nothing do not write over each other. */
  @Test
  void whoLearnsNothingWritesNothing() throws IOException {
    KnownPaths first = at(NOW);
    first.memory().note(PEER, PATH, NANOS);
    first.keep();
    KnownPaths second = at(NOW);
    Files.delete(file());
    second.keep();

    assertThat(file()).doesNotExist();
  }

  /** A path that carried less than was known is forgotten. */
  @Test
  void whatOneProcessForgetsTheNextOneDoesNotKnow() {
    KnownPaths first = at(NOW);
    first.memory().note(PEER, PATH, NANOS);
    first.keep();
    KnownPaths second = at(NOW);
    second.memory().forget(PEER);
    second.keep();

    assertThat(at(NOW).memory().known(NANOS)).isEmpty();
  }

  @Test
  void whatTwoProcessesLearnAtATimeIsKeptOfBoth() {
    InetAddress relay = InetAddress.ofLiteral("192.0.2.8");
    KnownPaths one = at(NOW);
    KnownPaths other = at(NOW);
    one.memory().note(PEER, PATH, NANOS);
    other.memory().note(relay, PATH, NANOS);
    one.keep();
    other.keep();

    assertThat(at(NOW).memory().known(NANOS)).containsOnlyKeys(PEER, relay);
  }

  @Test
  void anHourLaterItIsUnknown() {
    KnownPaths first = at(NOW);
    first.memory().note(PEER, PATH, NANOS);
    first.keep();

    assertThat(at(NOW.plusSeconds(3_601)).memory().known(NANOS)).isEmpty();
  }

  @Test
  void aClockThatWasSetBackMakesItUnknown() {
    KnownPaths first = at(NOW);
    first.memory().note(PEER, PATH, NANOS);
    first.keep();

    assertThat(at(NOW.minusSeconds(60)).memory().known(NANOS)).isEmpty();
  }

  @Test
  void linesThatSayNothingAreLeftOut() throws IOException {
    Files.writeString(
        file(),
        """
        192.0.2.7 2000000 160000 0.005 1800000000
        host.example 2000000 160000 0.005 1800000000
        192.0.2.8 -1 160000 0.005 1800000000
        192.0.2.9 2000000 160000 NaN 1800000000
        192.0.2.10 2000000 9223372036854775807 0 1800000000
        192.0.2.11 2000000 160000 0.005 -9223372036854775808
        192.0.2.12 2000000
        """);

    assertThat(at(NOW).memory().known(NANOS)).containsOnlyKeys(PEER);
  }

  @Test
  void theFileIsReplacedAsAWholeAndOfItsOwnerAlone() throws IOException {
    Files.writeString(file(), "x".repeat(100_000));
    KnownPaths first = at(NOW);
    assertThat(first.memory().known(NANOS)).isEmpty();
    first.memory().note(PEER, PATH, NANOS);
    first.keep();

    assertThat(file()).hasContent("192.0.2.7 2000000 160000 0.005 1800000000");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void whereNothingIsKnownNothingIsWritten() {
    at(NOW).keep();
    assertThat(file()).doesNotExist();
  }

  private Path file() {
    return folder.resolve("paths");
  }

  private KnownPaths at(Instant time) {
    return new KnownPaths(file(), InstantSource.fixed(time), () -> NANOS);
  }
}
