package io.cascade.studies.transfers;

import io.cascade.lab.process.RandomFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.SplittableRandom;

/** Creates folders to send; the same arguments create the same content. */
final class SentTrees {
  private static final int IN_A_FOLDER = 100;
  private static final int MOST_SMALL_BYTES = 8_192;

  /**
   * A day in 2024, with a fraction that a clock of whole seconds or microseconds cannot represent.
   */
  private static final Instant TIME = Instant.parse("2024-02-29T12:34:56.123456789Z");

  private static final long SPARSE_BYTES = 64L << 20;
  private static final int ISLAND_BYTES = 64 << 10;

  private SentTrees() {}

  /**
   * Creates files of up to 8 KiB, 4 KiB on average, a hundred in a folder.
   *
   * @return bytes of all files
   */
  static long small(Path folder, int files, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long sum = 0;
    Path in = Files.createDirectory(folder);
    for (int i = 0; i < files; i++) {
      if (i % IN_A_FOLDER == 0) {
        in = Files.createDirectory(folder.resolve("folder-%05d".formatted(i / IN_A_FOLDER)));
      }
      byte[] content = new byte[random.nextInt(MOST_SMALL_BYTES + 1)];
      random.nextBytes(content);
      Files.write(in.resolve("file-%03d".formatted(i % IN_A_FOLDER)), content);
      sum += content.length;
    }
    return sum;
  }

  /**
   * Creates empty files and folders, links, holes, unusual permissions, names with blanks, accents
   * and a newline, and times with nanoseconds.
   */
  static void everything(Path folder, long seed) throws IOException {
    Files.createDirectory(folder);
    Path plain = Files.createDirectory(folder.resolve("plain"));
    RandomFile.write(plain.resolve("random"), 1 << 20, seed);
    Files.createFile(plain.resolve("empty"));
    Files.createDirectories(folder.resolve("empty folder/inside"));
    Path deep = folder;
    for (int i = 0; i < 20; i++) {
      deep = deep.resolve("deep");
    }
    Files.writeString(Files.createDirectories(deep).resolve("file"), "deep");
    Path names = Files.createDirectory(folder.resolve("names"));
    for (String name : new String[] {"with blanks ", "-rf", "Größe, 東京", "new\nline", ".hidden"}) {
      Files.writeString(names.resolve(name), name);
    }
    Path modes = Files.createDirectory(folder.resolve("modes"));
    for (String mode : new String[] {"r--------", "rwxr-xr-x", "rw-rw-rw-", "---------"}) {
      Files.setPosixFilePermissions(
          Files.writeString(modes.resolve(mode), mode), PosixFilePermissions.fromString(mode));
    }
    Path links = Files.createDirectory(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("to-file"), Path.of("../plain/random"));
    Files.createSymbolicLink(links.resolve("to-folder"), Path.of("../plain"));
    Files.createSymbolicLink(links.resolve("to-nothing"), Path.of("nothing"));
    Path sparse = Files.createDirectory(folder.resolve("sparse"));
    islands(sparse.resolve("islands"), seed);
    hole(sparse.resolve("hole"));
    setTimes(folder);
    Files.setPosixFilePermissions(
        folder.resolve("empty folder"), PosixFilePermissions.fromString("rwxr-x---"));
  }

  private static void islands(Path file, long seed) throws IOException {
    byte[] island = new byte[ISLAND_BYTES];
    new SplittableRandom(seed).nextBytes(island);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 1 << 20; at < SPARSE_BYTES; at += 16 << 20) {
        out.write(ByteBuffer.wrap(island), at);
      }
      out.write(ByteBuffer.wrap(new byte[] {1}), SPARSE_BYTES - 1);
    }
  }

  private static void hole(Path file) throws IOException {
    try (var out = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(SPARSE_BYTES);
    }
  }

  /**
   * Sets the times of entries before that of their folder, because creating an entry changes its
   * folder's time.
   */
  private static void setTimes(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      long number = 0;
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        if (!Files.isSymbolicLink(path)) {
          Files.setLastModifiedTime(path, FileTime.from(TIME.plusSeconds(number++)));
        }
      }
    }
  }
}
