package io.cascade.studies.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init")
class ComparisonTest {
  @TempDir private Path folder;

  private Path sent;
  private Path there;

  @BeforeEach
  void copyATreeOfEverything() throws Exception {
    sent = folder.resolve("sent");
    there = folder.resolve("there");
    SentTrees.everything(sent, 1);
    Process copy =
        new ProcessBuilder("cp", "-a", "--sparse=always", sent.toString(), there.toString())
            .inheritIO()
            .start();
    assertThat(copy.waitFor()).isZero();
  }

  @Test
  void aCopyAsItWasDiffersInNothing() throws IOException {
    Comparison same = compare();

    assertThat(same.isSame()).as(same.toString()).isTrue();
    assertThat(same.entries()).isGreaterThan(40);
    assertThat(same.sentAllocated()).as("holes take no blocks").isLessThan(4 << 20);
  }

  @Test
  void whatIsMissingAndWhatIsMoreCounts() throws IOException {
    Files.delete(there.resolve("plain/empty"));
    Files.delete(there.resolve("links/to-nothing"));
    Files.createFile(there.resolve("links/to-nothing"));
    Files.createFile(there.resolve("more"));

    assertThat(compare().missing()).as("a file for a link is none").isEqualTo(2);
    assertThat(compare().more()).isEqualTo(2);
    assertThat(compare().isSameContent()).isFalse();
  }

  @Test
  void contentsAndLinksAreCompared() throws IOException {
    Files.writeString(there.resolve("names/.hidden"), "other");
    Files.delete(there.resolve("links/to-folder"));
    Files.createSymbolicLink(there.resolve("links/to-folder"), Path.of("elsewhere"));

    assertThat(compare().contents()).isEqualTo(2);
  }

  @Test
  void modesAndTimesAreCompared() throws IOException {
    Files.setPosixFilePermissions(
        there.resolve("modes"), PosixFilePermissions.fromString("rwx------"));
    Files.setLastModifiedTime(
        there.resolve("plain/random"), FileTime.from(Instant.parse("2024-02-29T12:34:56Z")));
    Files.setLastModifiedTime(there.resolve("plain"), FileTime.from(Instant.EPOCH));

    Comparison other = compare();

    assertThat(other.isSameContent()).isTrue();
    assertThat(other.modes()).isEqualTo(1);
    assertThat(other.fileTimes()).isEqualTo(1);
    assertThat(other.folderTimes()).isEqualTo(1);
    assertThat(other.isSame()).isFalse();
  }

  @Test
  void holesThatWereFilledCount() throws IOException {
    Path hole = there.resolve("sparse/hole");
    FileTime time = Files.getLastModifiedTime(hole);
    try (RandomAccessFile file = new RandomAccessFile(hole.toFile(), "rw")) {
      file.write(new byte[8 << 20]);
    }
    Files.setLastModifiedTime(hole, time);

    assertThat(compare().isSameContent()).isTrue();
    assertThat(compare().keepsHoles()).isFalse();
  }

  @Test
  void filesAreComparedLikeFolders() throws IOException {
    assertThat(Comparison.of(sent.resolve("plain/random"), there.resolve("plain/random")).isSame())
        .isTrue();
    assertThat(Comparison.of(sent.resolve("plain/random"), there.resolve("none")).missing())
        .isEqualTo(1);
  }

  private Comparison compare() throws IOException {
    return Comparison.of(sent, there);
  }
}
