package io.cascade.studies.reproduce;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The check of options that count something. */
final class LeastOne {
  private LeastOne() {}

  /**
   * Refuses what is less than one.
   *
   * @throws ParameterException naming the option and what is expected
   */
  static void check(CommandSpec spec, String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), option + " " + value + " (expected: 1 or more)");
    }
  }
}
