package io.cascade.studies.study;

import picocli.CommandLine.Option;

/** The option that says how much is measured at the same time. */
public final class Parallel {
  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Run N networks at the same time (default: ${DEFAULT-VALUE}).")
  private int count;

  /**
   * @param count unless another is asked for
   */
  public Parallel(int count) {
    this.count = count;
  }

  public int count() {
    return count;
  }
}
