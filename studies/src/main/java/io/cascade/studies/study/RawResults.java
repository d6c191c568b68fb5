package io.cascade.studies.study;

import java.nio.file.Path;
import java.util.Objects;

/** The folder of the results from which pages are written. */
public final class RawResults {
  private static final Path OF_THE_REPOSITORY = Path.of("docs", "experiments");

  private RawResults() {}

  /**
   * The folder of results for a folder of pages: {@code results} in it; for the pages of the
   * repository {@code studies/results}, with the same subfolders.
   */
  public static Path of(Path pages) {
    Path at = pages.toAbsolutePath().normalize();
    for (Path above = at; above != null; above = above.getParent()) {
      if (above.endsWith(OF_THE_REPOSITORY)) {
        return Objects.requireNonNull(above.getParent())
            .resolveSibling("studies")
            .resolve("results")
            .resolve(above.relativize(at))
            .normalize();
      }
    }
    return pages.resolve("results");
  }
}
