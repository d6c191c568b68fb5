package io.cascade.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares what users, programs and peers depend on with copies in {@code testing/golden}, so that
 * a change shows in the files of its commit.
 *
 * <p>With the system property {@value #WRITE} set to {@code true} the copies are written instead
 * (CONTRIBUTING.md has the command). Tests that use this have the tag {@value #TAG}.
 */
public final class Golden {
  /** Tag of the tests that compare or write copies. */
  public static final String TAG = "golden";

  private static final String WRITE = "golden.write";
  private static final Path FOLDER = Path.of("..", "testing", "golden");

  private Golden() {}

  /**
   * Compares a text with its copy, or writes the copy.
   *
   * @param name of the copy's file, such as {@code help/send.txt}
   * @throws AssertionError where they differ, with the first line that does
   */
  public static void check(String name, String actual) {
    Path file = FOLDER.resolve(name);
    String text =
        actual.lines().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
    try {
      if (Boolean.getBoolean(WRITE)) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
      } else if (!text.equals(before(file))) {
        throw new AssertionError(
            "%s: %s. Where that is meant, rewrite the copies as CONTRIBUTING.md says."
                .formatted(name, difference(before(file).lines().toList(), text.lines().toList())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares the names and types of metrics with their copy, or writes the copy.
   *
   * @param whose of the copy in {@code metrics}, such as {@code relay}
   * @param exposition in Prometheus's text format
   */
  public static void checkMetrics(String whose, Stream<String> exposition) {
    check(
        "metrics/" + whose + ".txt",
        exposition
            .filter(line -> line.startsWith("# TYPE "))
            .sorted()
            .collect(Collectors.joining("\n")));
  }

  /**
   * Checks that there is a copy for each of these names, and no other.
   *
   * @param folder of the copies, such as {@code help}
   * @param names of their files
   */
  public static void checkNames(String folder, Stream<String> names) {
    try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
      List<String> found = files.map(file -> file.getFileName().toString()).sorted().toList();
      List<String> expected = names.sorted().toList();
      if (!found.equals(expected)) {
        throw new AssertionError(folder + ": " + found + " (expected: " + expected + ")");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String before(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static String difference(List<String> before, List<String> now) {
    for (int line = 0; line < Math.max(before.size(), now.size()); line++) {
      String was = line < before.size() ? before.get(line) : "(nothing)";
      String is = line < now.size() ? now.get(line) : "(nothing)";
      if (!was.equals(is)) {
        return "line " + (line + 1) + " was '" + was + "' and is '" + is + "'";
      }
    }
    return "line ends differ";
  }
}
