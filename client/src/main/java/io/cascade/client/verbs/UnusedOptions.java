package io.cascade.client.verbs;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Options that say nothing beside another one: given all the same, they are refused. */
final class UnusedOptions {
  private UnusedOptions() {}

  /**
   * @param beside the option beside which they are of no use, such as {@code --direct}
   * @param why as the middle of the message
   * @throws ParameterException naming those that were given
   */
  static void refuse(CommandSpec verb, String beside, String why, List<String> names) {
    List<String> given =
        names.stream().filter(verb.commandLine().getParseResult()::hasMatchedOption).toList();
    if (!given.isEmpty()) {
      throw new ParameterException(
          verb.commandLine(),
          "%s with %s: %s; leave out the one or the other"
              .formatted(String.join(", ", given), beside, why));
    }
  }
}
