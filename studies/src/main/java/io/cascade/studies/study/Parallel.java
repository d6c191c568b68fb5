package io.cascade.studies.study;

import picocli.CommandLine.Option;

/** The option for the number of concurrent measurements. */
public final class Parallel {
  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Run N networks at the same time (default: ${DEFAULT-VALUE}).")
  private int count;

  /**
   * @param count the default
   */
  public Parallel(int count) {
    this.count = count;
  }

  public int count() {
    return count;
  }
}
