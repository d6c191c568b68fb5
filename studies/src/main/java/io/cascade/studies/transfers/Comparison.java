package io.cascade.studies.transfers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Difference between an arrived copy and its source, counted in files, folders and links.
 *
 * @param entries that were sent
 * @param missing entries that did not arrive, or arrived as another kind
 * @param more entries that arrived without having been sent
 * @param contents files and links with different content
 * @param modes files and folders with different permissions
 * @param fileTimes files with a different time of modification, to the nanosecond
 * @param folderTimes folders with a different time of modification
 * @param sentAllocated bytes that the sent files occupy on the disk, without holes
 * @param allocated bytes that the arrived files occupy on the disk
 */
record Comparison(
    long entries,
    long missing,
    long more,
    long contents,
    long modes,
    long fileTimes,
    long folderTimes,
    long sentAllocated,
    long allocated) {

  /** File systems round sizes up and preallocate. */
  private static final double ALLOCATED_TOLERANCE = 1.1;

  /** Whether names and contents are the same. */
  boolean isSameContent() {
    return missing == 0 && more == 0 && contents == 0;
  }

  /** Whether everything compared is equal. */
  boolean isSame() {
    return isSameContent() && modes == 0 && fileTimes == 0 && folderTimes == 0 && keepsHoles();
  }

  boolean keepsHoles() {
    return allocated <= ALLOCATED_TOLERANCE * sentAllocated;
  }

  /**
   * @param sent a file or a folder
   * @param there path at which it should have arrived
   */
  static Comparison of(Path sent, Path there) throws IOException {
    List<Path> all = paths(sent);
    long missing = 0;
    long contents = 0;
    long modes = 0;
    long fileTimes = 0;
    long folderTimes = 0;
    for (Path path : all) {
      // A file is compared with the file of its name, a folder with its entries.
      String below = sent.relativize(path).toString();
      Map<String, Object> was = attributes(path);
      Map<String, Object> is;
      Path arrived = below.isEmpty() ? there : there.resolve(below);
      try {
        is = attributes(arrived);
      } catch (NoSuchFileException e) {
        missing++;
        continue;
      }
      if (kind(was) != kind(is)) {
        missing++;
        continue;
      }
      boolean link = is(was, "isSymbolicLink");
      boolean file = is(was, "isRegularFile");
      if (link
          ? !Files.readSymbolicLink(path).equals(Files.readSymbolicLink(arrived))
          : file && Files.mismatch(path, arrived) >= 0) {
        contents++;
      }
      if (!link && !Objects.equals(was.get("mode"), is.get("mode"))) {
        modes++;
      }
      if (!link && !Objects.equals(was.get("lastModifiedTime"), is.get("lastModifiedTime"))) {
        if (file) {
          fileTimes++;
        } else {
          folderTimes++;
        }
      }
    }
    long arrived = Files.exists(there, LinkOption.NOFOLLOW_LINKS) ? paths(there).size() : 0;
    return new Comparison(
        all.size(),
        missing,
        Math.max(0, arrived - (all.size() - missing)),
        contents,
        modes,
        fileTimes,
        folderTimes,
        allocated(sent),
        allocated(there));
  }

  private static List<Path> paths(Path of) throws IOException {
    try (Stream<Path> paths = Files.walk(of)) {
      return new ArrayList<>(paths.toList());
    }
  }

  private static Map<String, Object> attributes(Path path) throws IOException {
    return Files.readAttributes(
        path,
        "unix:mode,lastModifiedTime,isSymbolicLink,isRegularFile,isDirectory",
        LinkOption.NOFOLLOW_LINKS);
  }

  private static int kind(Map<String, Object> attributes) {
    return is(attributes, "isSymbolicLink") ? 0 : is(attributes, "isDirectory") ? 1 : 2;
  }

  private static boolean is(Map<String, Object> attributes, String what) {
    return Boolean.TRUE.equals(attributes.get(what));
  }

  /** Java has no API for a file's blocks. */
  private static long allocated(Path of) throws IOException {
    if (!Files.exists(of, LinkOption.NOFOLLOW_LINKS)) {
      return 0;
    }
    Process find =
        new ProcessBuilder("find", of.toString(), "-type", "f", "-printf", "%b\\n")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var lines = find.inputReader(StandardCharsets.US_ASCII)) {
      return 512 * lines.lines().mapToLong(Long::parseLong).sum();
    }
  }
}
