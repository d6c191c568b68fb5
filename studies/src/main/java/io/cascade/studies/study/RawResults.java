package io.cascade.studies.study;

import java.nio.file.Path;
import java.util.Objects;

/** The folder of the runs that pages are written from. */
public final class RawResults {
  private static final Path OF_THE_REPOSITORY = Path.of("docs", "experiments");

  private RawResults() {}

  /**
   * The folder for pages in a folder: {@code results} in it; for the pages of the repository, which
   * are for readers, {@code studies/results}.
   */
  public static Path of(Path pages) {
    Path at = pages.toAbsolutePath().normalize();
    return at.endsWith(OF_THE_REPOSITORY)
        ? Objects.requireNonNull(at.getParent()).resolveSibling("studies").resolve("results")
        : pages.resolve("results");
  }
}
