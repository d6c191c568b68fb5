package io.cascade.client.verbs;

import picocli.CommandLine.Option;

/** The output of a verb that moves files, with events for programs while it runs. */
final class TransferOutput extends Output {
  @Option(
      names = "--json-events",
      description =
          "Print what happens on stdout while it does, one JSON object a line, nothing else there:"
              + " for programs.")
  private boolean events;

  boolean events() {
    return events;
  }

  /** Whether stdout is for a program. */
  @Override
  boolean json() {
    return events || super.json();
  }
}
