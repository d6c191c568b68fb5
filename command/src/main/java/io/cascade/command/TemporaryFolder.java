package io.cascade.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes folders that a verb created for its own files. */
public final class TemporaryFolder {
  private TemporaryFolder() {}

  /** Removes a folder with its content; what cannot be removed stays. */
  public static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // The rest stays in the system's temporary folder.
    }
  }
}
