package io.cascade.client.verbs;

import picocli.CommandLine.Option;

/** The way of a file, regardless of the plan. Mutually exclusive options. */
final class WayOption {
  @Option(names = "--direct", description = "Use no relay; needs no orchestrator.")
  private boolean direct;

  @Option(
      names = "--cascade",
      description = "Use the best relays, even if they are not expected to be faster.")
  private boolean cascade;

  boolean direct() {
    return direct;
  }

  boolean cascade() {
    return cascade;
  }
}
