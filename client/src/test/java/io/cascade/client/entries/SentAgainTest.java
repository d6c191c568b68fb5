package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.kernel.SparseFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder that is sent again, whole or where it broke off: what stands is not sent. */
@Timeout(60)
class SentAgainTest {
  @TempDir Path temporary = Path.of("");
  private Path source = Path.of("");
  private Path destination = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    source = Files.createDirectory(temporary.resolve("tree"));
    destination = Files.createDirectory(temporary.resolve("received"));
  }

  /** What a stream sent, and what came of it; null where it broke off. */
  private record Run(long bytes, Extracted extracted) {}

  private Run send(boolean overwrite) throws IOException {
    try (FolderStream stream = stream();
        Extractor extractor = new Extractor(destination, overwrite, EntryListener.SILENT)) {
      long bytes = pump(stream, extractor, Long.MAX_VALUE);
      return new Run(bytes, extractor.finish());
    }
  }

  /** Sends up to a byte, at which the stream breaks off. */
  private long sendUntil(long most) throws IOException {
    try (FolderStream stream = stream();
        Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      return pump(stream, extractor, most);
    }
  }

  private FolderStream stream() throws IOException {
    return new FolderStream(Trees.walk(source), Trees.walk(source), EntryListener.SILENT);
  }

  private static long pump(FolderStream stream, Extractor extractor, long most) throws IOException {
    extractor.answers(stream::answered);
    ByteBuffer buffer = ByteBuffer.allocate(50_000);
    long sent = 0;
    while (sent < most) {
      int read = stream.read(buffer.clear().limit((int) Math.min(50_000, most - sent)));
      if (read < 0) {
        break;
      }
      extractor.accept(buffer.flip());
      sent += read;
      while (read == 0 && stream.isWaiting()) {
        Thread.onSpinWait();
      }
    }
    return sent;
  }

  private void write(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private void assertIsTheSame() throws IOException {
    assertThat(Trees.look(destination.resolve("tree"))).isEqualTo(Trees.look(source));
    assertNothingElseIsLeft();
  }

  private void assertNothingElseIsLeft() throws IOException {
    try (Stream<Path> all = Files.walk(destination)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.contains(".cascade-"));
    }
  }

  @Test
  void whereverItBrokeOffTheRestMakesItWhole() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      source = Files.createDirectories(temporary.resolve("sent" + seed).resolve("tree"));
      destination = Files.createDirectory(temporary.resolve("received" + seed));
      Trees.fill(source, random, 4);
      int length = Trees.stream(source).length;
      for (int run = 0; run < 2; run++) {
        long _ = sendUntil(random.nextInt(length));
      }

      Run whole = send(false);

      assertThat(whole.extracted().refused().lines()).as("seed %d", seed).isEmpty();
      assertIsTheSame();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 60, 90})
  void whatHasArrivedIsNotSentAgain(int percent) throws IOException {
    for (int i = 0; i < 400; i++) {
      write("folder%02d/file%03d".formatted(i % 20, i), 5_000 + 31 * i);
    }
    write("folder05/large", 6_000_000);
    write("folder12/large", 3_000_000);
    long all = Trees.stream(source).length;
    long arrived = sendUntil(all * percent / 100);

    Run rest = send(false);

    assertIsTheSame();
    // Some 64 KiB ask for what is there.
    assertThat(rest.bytes()).isLessThan(all - arrived + arrived / 20 + (1 << 20));
    assertThat(send(false).bytes()).isLessThan(all / 100);
    assertIsTheSame();
  }

  @Test
  void aLargeFileGoesOnWhereItBrokeOff() throws IOException {
    write("large", 20_000_000);
    long _ = sendUntil(15_000_000);

    assertThat(send(false).bytes()).isLessThan(5_100_000);
    assertIsTheSame();
  }

  @Test
  void aLargeFileThatChangedBeginsAnew() throws IOException {
    write("large", 20_000_000);
    long _ = sendUntil(15_000_000);
    write("large", 20_000_001);

    assertThat(send(false).bytes()).isGreaterThan(20_000_000);
    assertIsTheSame();
  }

  @Test
  void foldersOfAStreamThatBrokeOffGetTheirPermissionsAndTimes() throws IOException {
    write("a/b/c", 100_000);
    Files.setLastModifiedTime(source.resolve("a/b"), FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(source.resolve("a"), FileTime.fromMillis(2_000));
    Files.setPosixFilePermissions(
        source.resolve("a"), PosixFilePermissions.fromString("rwxr-x--x"));
    long _ = sendUntil(20_000);
    assertThat((int) Files.getAttribute(destination.resolve("tree/a"), "unix:mode") & 07777)
        .isEqualTo(01700);

    Run _ = send(false);

    assertIsTheSame();
  }

  @Test
  void whatTheUserMadeKeepsItsPermissions() throws IOException {
    write("a/b", 10);
    Path mine = Files.createDirectories(destination.resolve("tree/a"));
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwx------"));

    Run _ = send(false);

    assertThat(Files.getPosixFilePermissions(mine))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatChangedBetweenIsReplacedWithOverwriteAlone(boolean overwrite) throws IOException {
    write("a", 500_000);
    write("b", 400_000);
    Run _ = send(false);
    byte[] before = Files.readAllBytes(source.resolve("b"));
    write("b", 400_001);

    Run again = send(overwrite);

    assertThat(again.bytes()).isLessThan(420_000);
    if (overwrite) {
      assertIsTheSame();
    } else {
      assertThat(again.extracted().refused().lines())
          .containsExactly("tree/b: exists already; the receiver overwrites with --overwrite");
      assertThat(destination.resolve("tree/b")).hasBinaryContent(before);
    }
  }

  /** Neither size nor time tell it: the digest does. */
  @Test
  void aFileThatIsDamagedAtTheReceiverIsSentAgain() throws IOException {
    write("a", 500_000);
    write("b", 400_000);
    Run _ = send(false);
    Path damaged = destination.resolve("tree/b");
    FileTime time = Files.getLastModifiedTime(damaged);
    byte[] content = Files.readAllBytes(damaged);
    content[300_000]++;
    Files.write(damaged, content);
    Files.setLastModifiedTime(damaged, time);

    assertThat(send(true).bytes()).isBetween(400_000L, 420_000L);
    assertIsTheSame();
  }

  @Test
  void aFileThatWasRemovedBetweenStaysAtTheReceiver() throws IOException {
    write("a", 100_000);
    write("b", 100_000);
    write("c", 100_000);
    Run _ = send(false);
    Files.delete(source.resolve("b"));

    Run again = send(false);

    assertThat(again.bytes()).isLessThan(10_000);
    assertThat(again.extracted().files()).isEqualTo(2);
    assertThat(destination.resolve("tree/b")).exists();
  }

  @Test
  void whatIsNewBetweenWhatStandsIsSent() throws IOException {
    for (int i = 0; i < 3_000; i += 2) {
      write("file%04d".formatted(i), 3_000 + i);
    }
    Run _ = send(false);
    for (int i = 1; i < 3_000; i += 100) {
      write("file%04d".formatted(i), 3_000 + i);
    }
    long all = Trees.stream(source).length;

    Run again = send(true);

    assertIsTheSame();
    assertThat(again.extracted().files()).isEqualTo(1_530);
    assertThat(again.bytes()).isLessThan(all / 10);
  }

  @Test
  void answersThatAreLostCostBytesAlone() throws IOException {
    write("a", 100_000);
    write("b", 100_000);
    Run _ = send(false);
    try (FolderStream stream = stream();
        Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      ByteBuffer asked = ByteBuffer.allocate(50_000);
      while (!stream.isWaiting()) {
        int _ = stream.read(asked);
      }
      stream.answersLost();
      extractor.accept(asked.flip());
      extractor.accept(ByteBuffer.wrap(Trees.drain(stream)));

      assertThat(extractor.finish().files()).isEqualTo(2);
    }
    assertIsTheSame();
  }

  @Test
  void entriesThatWereNotAskedForDoNotStand() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(EntryEncoder.control(PaxFormat.STANDING_KEY, "0 1").array());
    all.write(EntryEncoder.end().array());

    assertThatThrownBy(() -> Trees.extract(all.toByteArray(), destination, false))
        .hasMessageContaining("entry 0 is present but was not requested");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f 644 1 1 1 0 ../x\0\0",
        "f 644 1 1 1 0 /x\0\0",
        "f 644 1 1 1 9 x\0\0",
        "f 4755 1 1 1 0 x\0\0",
        "q 644 1 1 1 0 x\0\0",
        "f 644 -1 1 1 0 x\0\0",
        "f 644 1 1 1 0 x\0"
      })
  void entriesAheadThatAreNoneEndTheStream(String list) {
    byte[] stream = EntryEncoder.control(PaxFormat.AHEAD_KEY, list).array();

    assertThatThrownBy(() -> Trees.extract(stream, destination, false))
        .isInstanceOf(EntriesFailed.class)
        .hasMessageContaining("malformed");
  }

  @Test
  void holesAreNeitherReadNorSentAndStayHoles() throws IOException {
    sparse("sparse", 10L << 30);
    write("data", 1_000);

    Run sent = send(false);

    assertThat(sent.bytes()).isLessThan(2 << 20);
    Path arrived = destination.resolve("tree/sparse");
    assertThat(Files.size(arrived)).isEqualTo(10L << 30);
    try (SparseFile holes = SparseFile.toRead(arrived)) {
      assertThat(holes.nextData(0)).isEqualTo(5L << 30);
      assertThat(holes.nextData((5L << 30) + (1 << 20))).isEqualTo(Long.MAX_VALUE);
    }
    assertNothingElseIsLeft();
  }

  @Test
  void aSparseFileIsWholeWhereverItBrokeOff() throws IOException {
    sparse("sparse", 64 << 20);
    long all = Trees.stream(source).length;
    for (long most : List.of(all / 4, all / 2, all - 5_000)) {
      long _ = sendUntil(most);
    }

    Run _ = send(false);

    assertThat(Files.mismatch(destination.resolve("tree/sparse"), source.resolve("sparse")))
        .isEqualTo(-1);
    assertIsTheSame();
    assertThat(send(false).bytes()).isLessThan(10_000);
  }

  @Test
  void tarReadsSparseFiles() throws Exception {
    sparse("sparse", 64 << 20);
    Path archive = Files.write(temporary.resolve("a.tar"), Trees.stream(source));
    Process tar =
        new ProcessBuilder("tar", "-xf", archive.toString(), "-C", destination.toString())
            .inheritIO()
            .start();

    assertThat(tar.waitFor()).isZero();
    assertThat(Files.mismatch(destination.resolve("tree/sparse"), source.resolve("sparse")))
        .isEqualTo(-1);
  }

  /** A file with 1 MiB of data in its middle. */
  private void sparse(String name, long size) throws IOException {
    Path file = source.resolve(name);
    Files.createFile(file);
    try (SparseFile holes = SparseFile.toWrite(file)) {
      holes.clear(0, size);
    }
    byte[] data = new byte[1 << 20];
    new Random(1).nextBytes(data);
    try (var channel =
        java.nio.channels.FileChannel.open(
            file, java.nio.file.StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      long at = size / 2;
      for (ByteBuffer left = ByteBuffer.wrap(data); left.hasRemaining(); ) {
        at += channel.write(left, at);
      }
    }
  }
}
