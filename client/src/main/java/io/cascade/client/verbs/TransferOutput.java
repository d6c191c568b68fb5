package io.cascade.client.verbs;

import picocli.CommandLine.Option;

/** The output of a verb that moves files, with events for programs while it runs. */
final class TransferOutput extends Output {
  @Option(
      names = "--json-events",
      description =
          "Print events on stdout as they happen, one JSON object a line and nothing else, for"
              + " programs.")
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
