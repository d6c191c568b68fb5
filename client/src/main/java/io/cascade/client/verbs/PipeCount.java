package io.cascade.client.verbs;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Number of pipes of a chain that carry every stream together. */
final class PipeCount {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Use N pipes over the same route, which --via names or the planner chooses (at most 8)."
              + " Even with 1, streams survive the restart of a relay between its ends.")
  private @Nullable Integer parallel;

  @Option(
      names = "--pipes",
      paramLabel = "N",
      description =
          "Use N pipes over different routes (2 to 8), which the planner chooses between the two"
              + " relays that --via names, or that it chooses. A note names routes that add no"
              + " throughput and only serve as backup.")
  private @Nullable Integer routes;

  @Nullable Integer parallel() {
    return parallel;
  }

  @Nullable Integer routes() {
    return routes;
  }

  boolean isGiven() {
    return parallel != null || routes != null;
  }

  /**
   * @throws ParameterException where both are given
   */
  void check() {
    if (parallel != null && routes != null) {
      throw new ParameterException(
          verb.commandLine(),
          "--pipes with --parallel: both say how many pipes there are; fix: leave one of them out");
    }
  }
}
