package io.cascade.client.entries;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Trees of files for tests, and streams of them. */
public final class Trees {
  private static final List<String> NAMES =
      List.of("a", "b.txt", "ü", "日本語", "😀", "ﬀ", "with space", "-dash", "new\nline", "%41", "z");

  private Trees() {}

  /** A tree of folders, files, empty ones, and links that stay in it. */
  public static void fill(Path folder, Random random, int levels) throws IOException {
    int entries = random.nextInt(6);
    for (int i = 0; i < entries; i++) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      if (random.nextInt(5) == 0) {
        name = name + "é".repeat(random.nextInt(1, 120));
      }
      Path path = folder.resolve(name);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      int kind = random.nextInt(10);
      if (kind < 3 && levels > 0) {
        Files.createDirectory(path);
        fill(path, random, levels - 1);
        dress(path, random, 0700);
      } else if (kind < 5) {
        Files.createSymbolicLink(path, Path.of("./a/ü"));
        time(path, random);
      } else {
        byte[] content = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(3_000)];
        random.nextBytes(content);
        Files.write(path, content);
        dress(path, random, 0400);
      }
    }
  }

  private static void dress(Path path, Random random, int least) throws IOException {
    time(path, random);
    int mode = least | random.nextInt(01000);
    Files.setPosixFilePermissions(
        path, new Entry("", Entry.Kind.FILE, 0, Instant.EPOCH, mode, "").permissions());
  }

  private static void time(Path path, Random random) throws IOException {
    Instant at =
        Instant.ofEpochSecond(
            random.nextLong(-2_000_000, 4_000_000_000L),
            random.nextBoolean() ? random.nextInt(1_000_000_000) : 0);
    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(at), null, null);
  }

  /** Everything below a folder: path to kind, permissions, time and content. */
  public static Map<String, String> look(Path folder) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths.filter(one -> !one.equals(folder))::iterator) {
        PosixFileAttributes is =
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String content =
            is.isSymbolicLink()
                ? "-> " + Files.readSymbolicLink(path)
                : is.isDirectory() ? "folder" : Arrays.hashCode(Files.readAllBytes(path)) + "";
        all.put(
            folder.relativize(path).toString(),
            "%s %s %s"
                .formatted(
                    PosixFilePermissions.toString(is.permissions()),
                    is.lastModifiedTime().toInstant(),
                    content));
      }
    }
    return all;
  }

  static EntryWalk walk(Path... sources) throws IOException {
    return new EntryWalk(List.of(sources), Exclusions.NONE);
  }

  /** The whole stream of some sources. */
  static byte[] stream(Path... sources) throws IOException {
    try (FolderStream stream = new FolderStream(walk(sources), EntryListener.SILENT)) {
      return drain(stream);
    }
  }

  static byte[] drain(FolderStream stream) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(10_000);
    while (stream.read(buffer.clear()) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
    }
    return all.toByteArray();
  }

  /** Creates the entries of a stream. */
  static Extracted extract(byte[] stream, Path destination, boolean overwrite) throws IOException {
    try (Extractor extractor = new Extractor(destination, overwrite, EntryListener.SILENT)) {
      extractor.accept(ByteBuffer.wrap(stream));
      return extractor.finish();
    }
  }
}
