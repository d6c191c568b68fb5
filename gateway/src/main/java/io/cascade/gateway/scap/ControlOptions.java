package io.cascade.gateway.scap;

import java.io.PrintWriter;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** Options that name the splitter/combiner to query, and the form of its answer. */
final class ControlOptions {
  @Option(
      names = "--control",
      paramLabel = "[ADDRESS:]PORT",
      defaultValue = "7790",
      description = "Connect to the scap with this --control (default: ${DEFAULT-VALUE}).")
  private String control = "7790";

  @Option(names = "--json", description = "Print one JSON document on stdout and nothing else.")
  private boolean json;

  ControlClient client() {
    return new ControlClient(control);
  }

  /**
   * Sends a query and prints the answer: unchanged with {@code --json}, otherwise as text.
   *
   * @param text converts the JSON to text
   */
  int print(String path, UnaryOperator<String> text, PrintWriter out) {
    String answer = client().get(path);
    out.println(json ? answer : text.apply(answer));
    out.flush();
    return 0;
  }
}
