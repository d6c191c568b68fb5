package io.cascade.client.verbs;

import picocli.CommandLine.Option;

/** The way of a file, regardless of the plan. Mutually exclusive options. */
final class WayOption {
  @Option(names = "--direct", description = "Through no relay; needs no orchestrator.")
  private boolean direct;

  @Option(
      names = "--cascade",
      description = "Through the best relays, even where that is not expected to pay.")
  private boolean cascade;

  boolean direct() {
    return direct;
  }

  boolean cascade() {
    return cascade;
  }
}
