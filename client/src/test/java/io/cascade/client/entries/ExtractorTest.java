package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.entries.Entry.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver makes of streams, honest and other ones, and that it makes it in its folder. */
@Timeout(60)
class ExtractorTest {
  @TempDir Path temporary = Path.of("");
  private Path destination = Path.of("");
  private Path outside = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    destination = Files.createDirectories(temporary.resolve("jail/received"));
    outside = Files.createDirectory(temporary.resolve("outside"));
  }

  private static Entry entry(String path, Kind kind, long size, String target) {
    return new Entry(path, kind, size, Instant.ofEpochSecond(1, 2), 0755, target);
  }

  private static Entry folder(String path) {
    return entry(path, Kind.FOLDER, 0, "");
  }

  private static Entry file(String path) {
    return entry(path, Kind.FILE, 3, "");
  }

  private static Entry link(String path, String target) {
    return entry(path, Kind.LINK, 0, target);
  }

  /** A stream of these entries, whether a walk would yield them or not. */
  private static byte[] stream(Entry... entries) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Entry entry : entries) {
      all.write(EntryEncoder.header(entry).array());
      if (entry.kind() == Kind.FILE) {
        all.write(Arrays.copyOf("abc".getBytes(StandardCharsets.US_ASCII), 512));
      }
    }
    all.write(EntryEncoder.end().array());
    return all.toByteArray();
  }

  private Extracted extract(Entry... entries) throws IOException {
    return Trees.extract(stream(entries), destination, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"..", ".", "../x", "/x", "/", "", "a/../../x", "a/", "a//x", "a/./x", "a/.."})
  void aNameThatLeadsElsewhereEndsTheStream(String path) throws IOException {
    assertThatThrownBy(() -> extract(folder("a"), file(path)))
        .isInstanceOf(EntriesFailed.class)
        .hasMessageContaining("malformed");
    assertThat(Trees.look(temporary))
        .containsOnlyKeys("jail", "jail/received", "jail/received/a", "outside");
  }

  @ParameterizedTest
  @CsvSource({
    "l, /etc",
    "l, ..",
    "l, ../x",
    "d/l, ../..",
    "d/l, ../../x",
    "d/l, x/../../..",
    "d/l, x/..",
    "l, ./.."
  })
  void aLinkThatLeadsOutIsRefusedByName(String path, String target) throws IOException {
    Extracted what = extract(folder("d"), link(path, target), file("z"));
    assertThat(what.refused().lines())
        .containsExactly(path + ": a link to " + target + ", which leads out of the folder");
    assertThat(Files.exists(destination.resolve(path), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(what.files()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"l, x", "l, ./x", "d/l, ../x", "d/l, .././d/l", "l, nowhere/at/all"})
  void aLinkThatStaysInTheFolderIsMade(String path, String target) throws IOException {
    assertThat(extract(folder("d"), link(path, target)).refused().count()).isZero();
    assertThat(Files.readSymbolicLink(destination.resolve(path))).hasToString(target);
  }

  @Test
  void nothingIsMadeThroughALinkOfTheSameStream() throws IOException {
    assertThatThrownBy(() -> extract(link("l", "."), file("l/x")))
        .hasMessageContaining("l/x arrives without its folder");
  }

  @Test
  void aFolderIsNotReplacedByALinkBetweenEntries() throws IOException {
    assertThatThrownBy(() -> extract(folder("a"), file("a/x"), link("a", "b")))
        .hasMessageContaining("a arrives twice or out of order");
    assertThat(Files.isDirectory(destination.resolve("a"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void nothingIsMadeThroughALinkThatStoodThere() throws IOException {
    Files.createSymbolicLink(destination.resolve("a"), outside);
    Extracted what = extract(folder("a"), folder("a/b"), file("a/b/x"), file("a/x"), file("z"));
    assertThat(what.refused().lines())
        .containsExactly(
            "a: something that is not a folder has its name; fix: rename that", "and 3 more");
    assertThat(what.files()).isEqualTo(1);
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aFolderThatIsReplacedByALinkMeanwhileIsStillTheFolderInWhichThingsAreMade()
      throws IOException {
    byte[] all = stream(folder("a"), folder("a/b"), file("a/b/x"), link("a/l", "b"), file("a/y"));
    int first = EntryEncoder.header(folder("a")).remaining();
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      extractor.accept(ByteBuffer.wrap(all, 0, first));
      Files.move(destination.resolve("a"), destination.resolve("moved"));
      Files.createSymbolicLink(destination.resolve("a"), outside);
      extractor.accept(ByteBuffer.wrap(all, first, all.length - first));
      extractor.finish();
    }
    assertThat(outside).isEmptyDirectory();
    assertThat(Trees.look(destination.resolve("moved"))).containsOnlyKeys("b", "b/x", "l", "y");
  }

  @Test
  void aLinkInThePlaceOfAFileIsReplacedAndNotFollowed() throws IOException {
    Path secret = Files.writeString(outside.resolve("secret"), "secret");
    Files.createSymbolicLink(destination.resolve("f"), secret);
    Files.createSymbolicLink(destination.resolve(NewFile.partName("f")), secret);
    assertThat(Trees.extract(stream(file("f")), destination, true).files()).isEqualTo(1);
    assertThat(secret).hasContent("secret");
    assertThat(Files.isSymbolicLink(destination.resolve("f"))).isFalse();
    assertThat(destination.resolve("f")).hasContent("abc");
  }

  @Test
  void whatExistsStaysAndTheRestGoesOn() throws IOException {
    Files.writeString(destination.resolve("f"), "mine");
    Files.createDirectory(destination.resolve("a"));
    Extracted what = extract(folder("a"), file("a/x"), file("f"), file("g"));
    assertThat(what.refused().lines())
        .containsExactly("f: exists already; the receiver overwrites with --overwrite");
    assertThat(destination.resolve("f")).hasContent("mine");
    assertThat(destination.resolve("a/x")).hasContent("abc");
    assertThat(destination.resolve("g")).hasContent("abc");
  }

  @Test
  void whatIsThereAsItIsSentCountsAsThere() throws IOException {
    Entry[] sent = {file("f"), file("g"), link("l", "f"), link("m", "g")};
    extract(sent);
    Object inode = Files.getAttribute(destination.resolve("f"), "unix:ino");
    Files.writeString(destination.resolve("g"), "xbc");
    Files.setLastModifiedTime(destination.resolve("g"), FileTime.from(file("g").modified()));
    Files.delete(destination.resolve("m"));
    Files.createSymbolicLink(destination.resolve("m"), Path.of("elsewhere"));

    Extracted what = extract(sent);

    assertThat(what.files()).isEqualTo(1);
    assertThat(what.links()).isEqualTo(1);
    assertThat(what.refused().lines())
        .containsExactly(
            "g: exists already; the receiver overwrites with --overwrite",
            "m: exists already; the receiver overwrites with --overwrite");
    assertThat(Files.getAttribute(destination.resolve("f"), "unix:ino")).isEqualTo(inode);
    assertThat(destination.resolve("g")).hasContent("xbc");
  }

  @Test
  void overwriteReplacesFilesAndNoFolders() throws IOException {
    Files.writeString(destination.resolve("f"), "mine");
    Files.createDirectory(destination.resolve("g"));
    Extracted what = Trees.extract(stream(file("f"), file("g")), destination, true);
    assertThat(destination.resolve("f")).hasContent("abc");
    assertThat(what.refused().lines())
        .containsExactly("g: a folder or a device has its name; fix: rename that");
  }

  @Test
  void aFolderThatExistsKeepsItsPermissionsWithoutOverwrite() throws IOException {
    Path mine = Files.createDirectory(destination.resolve("a"));
    Map<String, String> before = Trees.look(destination);
    extract(folder("a"));
    assertThat(Trees.look(destination)).isEqualTo(before);
    Trees.extract(stream(folder("a")), destination, true);
    assertThat(Files.getLastModifiedTime(mine).toInstant()).isEqualTo(Instant.ofEpochSecond(1, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {".x.cascade-entry", DestinationLock.NAME})
  void theReceiversOwnNamesAreNotTaken(String name) throws IOException {
    assertThat(extract(file(name)).refused().lines())
        .containsExactly(name + ": its name is reserved by the receiver; fix: rename it");
  }

  @Test
  void aStreamThatBreaksOffLeavesWhatIsWholeAndNothingElse() throws IOException {
    byte[] all = stream(file("a"), file("b"), file("c"));
    int most = all.length - EntryEncoder.END_BYTES - 512;
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      extractor.accept(ByteBuffer.wrap(all, 0, most));
      assertThatThrownBy(extractor::finish)
          .hasMessageContaining("ended early after c; fix: send it again, which resumes there");
    }
    assertThat(Trees.look(destination)).containsOnlyKeys("a", "b");
  }

  @Test
  void aSecondReceiverIsKeptAway() throws IOException {
    try (Extractor _ = new Extractor(destination, false, EntryListener.SILENT)) {
      assertThatThrownBy(() -> new Extractor(destination, false, EntryListener.SILENT))
          .hasMessageContaining("another receiver writes a folder to");
    }
  }

  @Test
  void messagesArePrintable() throws IOException {
    Files.writeString(destination.resolve("a\u001bb"), "mine");
    assertThat(extract(file("a\u001bb")).refused().lines().getFirst()).startsWith("a b: exists");
    assertThatThrownBy(() -> extract(file("c"), file("a\u001bb"))).hasMessageMatching("[\\P{Cc}]*");
  }

  @Test
  void sizesBeyondEightGigabytesAreRead() throws IOException {
    Entry large = entry("l".repeat(200), Kind.FILE, 9L << 30, "");
    ByteBuffer header = EntryEncoder.header(large);
    try (Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      extractor.accept(header);
      assertThatThrownBy(extractor::finish).hasMessageContaining("ended early after lll");
    }
  }

  /** Whatever comes, it ends in words or in a tree, and what is outside stays as it is. */
  @Test
  void randomAndMutatedStreamsMakeNothingOutside() throws IOException {
    Path tree = Files.createDirectory(temporary.resolve("tree"));
    Trees.fill(tree, new Random(3), 4);
    List<byte[]> streams =
        List.of(
            Trees.stream(tree),
            stream(folder("a"), file("a/x"), link("a/y", "x"), folder("b"), folder("b/c")),
            stream(folder("a"), link("b", "../.."), file("b/c"), file("../d")));
    Files.delete(destination);
    Map<String, String> before = around();
    int refused = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] mutated = mutate(streams.get(random.nextInt(streams.size())), random);
      try {
        Trees.extract(mutated, destination, random.nextBoolean());
      } catch (EntriesFailed e) {
        refused++;
      }
      if (seed % 50 == 0) {
        remove(destination);
        assertThat(around()).as("seed %d", seed).isEqualTo(before);
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  private Map<String, String> around() throws IOException {
    Map<String, String> all = Trees.look(temporary);
    all.put("jail", "its time changes");
    return all;
  }

  private static void remove(Path folder) throws IOException {
    try {
      assertThat(new ProcessBuilder("rm", "-rf", folder.toString()).start().waitFor()).isZero();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Changes bytes, with checksums that are right, so that it is not they that refuse it. */
  private static byte[] mutate(byte[] stream, Random random) {
    byte[] all = stream.clone();
    for (int change = random.nextInt(1, 4); change > 0 && all.length >= 512; change--) {
      int block = random.nextInt(all.length / 512) * 512;
      switch (random.nextInt(4)) {
        case 0 -> all[block + random.nextInt(160)] = (byte) random.nextInt(256);
        case 1 -> all[block + random.nextInt(512)] = (byte) "./0x=\n7".charAt(random.nextInt(7));
        case 2 -> System.arraycopy(all, random.nextInt(all.length / 512) * 512, all, block, 512);
        default -> all = Arrays.copyOf(all, block + random.nextInt(512) + 1);
      }
      if (block + 512 <= all.length && all[block + PaxFormat.MAGIC] == 'u') {
        byte[] sum =
            "%06o\0"
                .formatted(PaxFormat.checksum(ByteBuffer.wrap(all), block))
                .getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(sum, 0, all, block + PaxFormat.CHECKSUM, sum.length);
      }
    }
    return all;
  }
}
