package io.cascade.lab;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the lab of a command. */
final class LabOption {
  @Option(names = "--lab", paramLabel = "NAME", description = "Use this lab, if several are up.")
  private @Nullable String name;

  Lab lab() {
    return Lab.attach(name);
  }
}
