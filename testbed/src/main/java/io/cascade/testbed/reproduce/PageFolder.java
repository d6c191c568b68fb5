package io.cascade.testbed.reproduce;

import io.cascade.command.Complaint;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says where pages are written. */
final class PageFolder {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  Path path() {
    return out == null ? Checkout.pages() : out;
  }

  Complaint unwritable(IOException e) {
    return new Complaint(
        path() + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
  }
}
