package io.cascade.studies.study;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where pages are written. */
public final class PageFolder {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  public Path path() {
    return out == null ? Checkout.pages() : out;
  }

  public CommandException unwritable(IOException e) {
    return new CommandException(
        path() + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
  }
}
