package io.cascade.studies.study;

import io.cascade.command.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The checkout of this repository that contains the launcher, if there is one. */
public final class Checkout {
  private static final Path EXPERIMENTS = Path.of("studies", "experiments");
  private static final Path PAGES = Path.of("docs", "experiments");

  private Checkout() {}

  /**
   * The folder with the descriptions of experiments.
   *
   * @throws CommandException without a checkout
   */
  public static Path experiments() {
    return root()
        .map(root -> root.resolve(EXPERIMENTS))
        .orElseThrow(() ->
            new CommandException(
                "no experiments here: run ./cascade reproduce in a checkout, or name a FILE"));
  }

  /** The folder for pages: that of the checkout, otherwise the working directory. */
  public static Path pages() {
    return root().map(root -> root.resolve(PAGES)).orElse(Path.of(""));
  }

  private static Optional<Path> root() {
    return Optional.ofNullable(System.getProperty("cascade.launcher"))
        .map(Path::of)
        .map(Path::getParent)
        .filter(root -> Files.isDirectory(root.resolve(EXPERIMENTS)));
  }
}
