package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a folder is as a stream, and that it is the same folder at the other end. */
@Timeout(60)
class FolderStreamTest {
  @TempDir Path temporary = Path.of("");
  private Path source = Path.of("");
  private Path destination = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    source = Files.createDirectory(temporary.resolve("photos"));
    destination = temporary.resolve("received");
  }

  @Test
  void anyTreeArrivesAsItWasInPiecesOfAnySize() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      Path tree = Files.createDirectory(temporary.resolve("tree" + seed));
      Trees.fill(tree, random, 4);
      Path to = temporary.resolve("to" + seed);
      try (FolderStream stream = new FolderStream(Trees.walk(tree), EntryListener.SILENT);
          Extractor extractor = new Extractor(to, false, EntryListener.SILENT)) {
        ByteBuffer piece = ByteBuffer.allocate(4_000);
        int most = random.nextBoolean() ? 4_000 : 50;
        while (stream.read(piece.clear().limit(random.nextInt(1, most))) >= 0) {
          extractor.accept(piece.flip());
        }
        assertThat(extractor.finish().refused().lines()).isEmpty();
        assertThat(stream.unread().lines()).isEmpty();
      }
      assertThat(Trees.look(to.resolve(tree.getFileName())))
          .as("seed %d", seed)
          .isEqualTo(Trees.look(tree));
    }
  }

  @Test
  void theSameTreeIsTheSameStream() throws IOException {
    Trees.fill(source, new Random(7), 4);
    assertThat(Trees.stream(source)).isEqualTo(Trees.stream(source));
  }

  @Test
  void tarReadsIt() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/tar")), "no tar");
    Trees.fill(source, new Random(11), 4);
    Path archive = Files.write(temporary.resolve("a.tar"), Trees.stream(source));
    Files.createDirectory(destination);
    Process tar =
        new ProcessBuilder("tar", "-xpf", archive.toString(), "-C", destination.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(tar.exitValue()).isZero();
    for (Path tree : List.of(destination.resolve("photos"), source)) {
      cutTimes(tree); // Which tar sees in whole seconds.
    }
    assertThat(Trees.look(destination.resolve("photos"))).isEqualTo(Trees.look(source));
  }

  private static void cutTimes(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path one : all.toList()) {
        BasicFileAttributeView view =
            Files.getFileAttributeView(
                one, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        long seconds = view.readAttributes().lastModifiedTime().toInstant().getEpochSecond();
        view.setTimes(FileTime.from(Instant.ofEpochSecond(seconds)), null, null);
      }
    }
  }

  /** Most files of a path that is as wide as a disk is slow are small. */
  @Test
  void aSmallFileCostsOneHeader() throws IOException {
    Path deep = Files.createDirectories(source.resolve("x".repeat(60)).resolve("y".repeat(60)));
    long before = Trees.stream(source).length;
    Path file = Files.writeString(deep.resolve("file"), "content");
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(5, 123_456_789)));

    assertThat(Trees.stream(source).length - before).isEqualTo(2 * PaxFormat.BLOCK);
    Trees.extract(Trees.stream(source), destination, false);
    assertThat(Trees.look(destination.resolve("photos"))).isEqualTo(Trees.look(source));
  }

  /** The initial window of TCP is ten segments. */
  @Test
  void whatIsAskedFirstFitsIntoTheFirstPackets() throws IOException {
    for (int i = 0; i < 1_000; i++) {
      Files.createFile(source.resolve("file-with-an-ordinary-name-%04d.jpeg".formatted(i)));
    }
    try (FolderStream stream =
        new FolderStream(Trees.walk(source), Trees.walk(source), EntryListener.SILENT)) {
      ByteBuffer first = ByteBuffer.allocate(1 << 20);
      while (!stream.isWaiting()) {
        assertThat(stream.read(first)).isNotNegative();
      }

      assertThat(first.position()).isPositive().isLessThan(12_000);
    }
  }

  @Test
  void severalSourcesComeInTheOrderOfTheirNames() throws IOException {
    Path file = Files.writeString(temporary.resolve("a.txt"), "a");
    Files.writeString(source.resolve("one"), "1");
    Extracted what = Trees.extract(Trees.stream(source, file), destination, false);
    assertThat(what.files()).isEqualTo(2);
    assertThat(what.folders()).isEqualTo(1);
    assertThat(what.bytes()).isEqualTo(2);
    assertThat(destination.resolve("a.txt")).hasContent("a");
    assertThat(destination.resolve("photos/one")).hasContent("1");
  }

  @Test
  void twoSourcesOfOneNameAreRefused() throws IOException {
    Path other = Files.createDirectories(temporary.resolve("other/photos"));
    assertThatThrownBy(() -> Trees.walk(source, other))
        .isInstanceOf(EntriesFailed.class)
        .hasMessageContaining("two sources are called photos");
  }

  @Test
  void aSourceThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Trees.walk(temporary.resolve("nowhere")))
        .isInstanceOf(EntriesFailed.class)
        .hasMessageContaining("nowhere: no such file or folder");
  }

  @Test
  void aSourceThatIsALinkIsFollowedAndKeepsItsName() throws IOException {
    Files.writeString(source.resolve("one"), "1");
    Path link = Files.createSymbolicLink(temporary.resolve("current"), source);
    Trees.extract(Trees.stream(link), destination, false);
    assertThat(destination.resolve("current/one")).hasContent("1");
  }

  @Test
  void linksInAFolderAreNotFollowed() throws IOException {
    Path outside = Files.createDirectory(temporary.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "s");
    Files.createSymbolicLink(source.resolve("link"), Path.of("sub"));
    Files.createSymbolicLink(source.resolve("out"), outside);
    Extracted what = Trees.extract(Trees.stream(source), destination, false);
    assertThat(Files.readSymbolicLink(destination.resolve("photos/link"))).hasToString("sub");
    assertThat(what.links()).isEqualTo(1);
    assertThat(what.refused().lines())
        .containsExactly("photos/out: a link to " + outside + ", which leads out of the folder");
  }

  @Test
  void aHardLinkIsAFileOfItsOwn() throws IOException {
    Path one = Files.writeString(source.resolve("one"), "1");
    Files.createLink(source.resolve("two"), one);
    assertThat(Trees.extract(Trees.stream(source), destination, false).files()).isEqualTo(2);
  }

  @Test
  void pipesAndSocketsAreNamedAndLeftOut() throws Exception {
    Files.writeString(source.resolve("one"), "1");
    assertThat(new ProcessBuilder("mkfifo", source.resolve("pipe").toString()).start().waitFor())
        .isZero();
    try (FolderStream stream = new FolderStream(Trees.walk(source), EntryListener.SILENT)) {
      Extracted what = Trees.extract(Trees.drain(stream), destination, false);
      assertThat(what.files()).isEqualTo(1);
      assertThat(stream.special().lines())
          .containsExactly("photos/pipe: not sent: a socket, a device or a named pipe");
      assertThat(stream.unread().count()).isZero();
    }
  }

  @Test
  void aNameThatIsNotUtf8IsReportedAndTheRestIsSent() throws Exception {
    Files.writeString(source.resolve("one"), "1");
    String command = "printf x > \"$1/$(printf 'a\\377b')\"";
    assertThat(new ProcessBuilder("sh", "-c", command, "sh", source.toString()).start().waitFor())
        .isZero();
    try (FolderStream stream = new FolderStream(Trees.walk(source), EntryListener.SILENT)) {
      assertThat(Trees.extract(Trees.drain(stream), destination, false).files()).isEqualTo(1);
      assertThat(stream.unread().lines())
          .singleElement()
          .asString()
          .contains("its name is not UTF-8; fix: rename it");
    }
  }

  @Test
  void aFileThatVanishesIsReportedAndTheRestIsSent() throws IOException {
    Files.writeString(source.resolve("a"), "1");
    Files.writeString(source.resolve("b"), "2");
    Files.writeString(source.resolve("c"), "3");
    EntryListener vanishing =
        (path, size) -> {
          if (path.equals("photos/a")) {
            delete(source.resolve("b"));
          }
        };
    try (FolderStream stream = new FolderStream(Trees.walk(source), vanishing)) {
      assertThat(Trees.extract(Trees.drain(stream), destination, false).files()).isEqualTo(2);
      assertThat(stream.unread().lines())
          .containsExactly("photos/b: cannot be read: no such file or folder");
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatBecomesShorterHasNoNameAtTheReceiver() throws IOException {
    assertSpoilt(file -> file.setLength(10), "became shorter while it was sent");
  }

  @Test
  void aFileThatChangesHasNoNameAtTheReceiver() throws IOException {
    assertSpoilt(
        file -> {
          file.seek(0);
          file.write("changed".getBytes(StandardCharsets.UTF_8));
        },
        "changed while it was sent");
  }

  @FunctionalInterface
  private interface Change {
    void to(RandomAccessFile file) throws IOException;
  }

  private void assertSpoilt(Change change, String reason) throws IOException {
    Path large = Files.write(source.resolve("large"), new byte[100_000]);
    Files.setLastModifiedTime(large, FileTime.from(Instant.EPOCH));
    Files.writeString(source.resolve("later"), "2");
    try (FolderStream stream = new FolderStream(Trees.walk(source), EntryListener.SILENT);
        Extractor extractor = new Extractor(destination, false, EntryListener.SILENT)) {
      ByteBuffer piece = ByteBuffer.allocate(50_000);
      assertThat(stream.read(piece)).isEqualTo(50_000);
      extractor.accept(piece.flip());
      try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
        change.to(file);
      }
      extractor.accept(ByteBuffer.wrap(Trees.drain(stream)));
      Extracted what = extractor.finish();
      assertThat(what.files()).isEqualTo(1);
      assertThat(what.refused().lines())
          .containsExactly("photos/large: the sender says that it " + reason);
      assertThat(stream.unread().lines())
          .containsExactly("photos/large: " + reason + "; fix: send it again");
    }
    assertThat(Trees.look(destination)).containsOnlyKeys("photos", "photos/later");
  }

  @Test
  void setuidSetgidAndStickyStayBehind() throws Exception {
    Path file = Files.writeString(source.resolve("one"), "1");
    assertThat(new ProcessBuilder("chmod", "7755", file.toString()).start().waitFor()).isZero();
    Trees.extract(Trees.stream(source), destination, false);
    Object mode =
        Files.getAttribute(
            destination.resolve("photos/one"), "unix:mode", LinkOption.NOFOLLOW_LINKS);
    assertThat((Integer) mode & 07777).isEqualTo(0755);
  }

  @Test
  void aFolderThatMayNotBeWrittenArrivesWithItsContent() throws IOException {
    Files.writeString(source.resolve("one"), "1");
    Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("r-xr-xr-x"));
    Trees.extract(Trees.stream(source), destination, false);
    assertThat(Files.getPosixFilePermissions(destination.resolve("photos")))
        .isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThat(destination.resolve("photos/one")).hasContent("1");
  }

  @Test
  void foldersMayBeDeepAndAreRefusedByNameWhereTheyAreTooDeep() throws IOException {
    List<HeldFolder> held = new ArrayList<>();
    held.add(HeldFolder.open(source));
    for (int i = 0; i < 260; i++) {
      String name = "folder-with-a-name-of-some-length";
      Files.createDirectory(held.getLast().at(name));
      held.add(held.getLast().folder(name));
    }
    try (FolderStream stream = new FolderStream(Trees.walk(source), EntryListener.SILENT)) {
      Extracted what = Trees.extract(Trees.drain(stream), destination, false);
      assertThat(what.refused().lines()).isEmpty();
      assertThat(what.folders()).isEqualTo(255);
      assertThat(stream.unread().lines())
          .singleElement()
          .asString()
          .contains("is more than 255 folders deep; fix: send a folder further down");
    } finally {
      held.forEach(HeldFolder::close);
      run("rm", "-rf", source.toString(), destination.toString());
    }
  }

  private static void run(String... command) throws IOException {
    try {
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void everyFileIsAnnouncedBeforeItsBytesInPrintableForm() throws IOException {
    Files.writeString(source.resolve("a\u001b[2Jb"), "1");
    Map<String, Long> told = new HashMap<>();
    try (FolderStream stream = new FolderStream(Trees.walk(source), told::put)) {
      Trees.drain(stream);
    }
    assertThat(told).containsOnlyKeys("photos", "photos/a [2Jb");
  }

  @Test
  void exclusionsLeaveOutNamesPathsAndFolders() throws IOException {
    for (String file :
        List.of("a.o", "b/a.o", "b/keep", "build/x", "b/build", "doc/draft/x", "b/doc/draft")) {
      Files.createDirectories(source.resolve(file).getParent());
      Files.writeString(source.resolve(file), "");
    }
    Exclusions exclusions = new Exclusions(List.of("*.o", "build/", "doc/draft"));
    try (FolderStream stream =
        new FolderStream(new EntryWalk(List.of(source), exclusions), EntryListener.SILENT)) {
      Trees.extract(Trees.drain(stream), destination, false);
    }
    assertThat(Trees.look(destination.resolve("photos")))
        .containsOnlyKeys("b", "b/build", "b/doc", "b/doc/draft", "b/keep", "doc");
  }
}
