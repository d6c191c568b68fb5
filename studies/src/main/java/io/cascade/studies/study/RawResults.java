package io.cascade.studies.study;

import java.nio.file.Path;
import java.util.Objects;

/** The folder of the runs that pages are written from. */
public final class RawResults {
  private static final Path OF_THE_REPOSITORY = Path.of("docs", "experiments");

  private RawResults() {}

  /**
   * The folder for pages in a folder: {@code results} in it; for the pages of the repository, which
   * are for readers, {@code studies/results}, with a folder for each below.
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
