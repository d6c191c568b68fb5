package io.cascade.client.verbs;

import picocli.CommandLine.Option;

/** Which way a file is to go, whatever the plan says. Exclusive. */
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
