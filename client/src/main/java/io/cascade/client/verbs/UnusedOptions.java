package io.cascade.client.verbs;

import io.cascade.command.CommandException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Options without effect beside another one, which are refused. */
final class UnusedOptions {
  /** Options of planning. */
  static final List<String> PLANNING =
      List.of("--from", "--avoid", "--max-relays", "--source-congestion-control");

  private UnusedOptions() {}

  /**
   * Refuses options beside {@code send --direct} that only concern relays.
   *
   * @param via whether relays are named
   * @param shaped whether an option concerns relays
   * @throws CommandException naming what to omit
   */
  static void refuseBesideDirect(CommandSpec verb, boolean via, boolean shaped) {
    refuse(verb, "--direct", "nothing is planned", PLANNING);
    if (via) {
      throw new CommandException("--direct uses no relay; fix: leave out --via");
    }
    if (shaped) {
      throw new CommandException(
          "--direct uses no relay; fix: leave out options for relays (--security,"
              + " --congestion-control, --parallel and the like)");
    }
  }

  /**
   * @param beside the option beside which they have no effect, such as {@code --direct}
   * @param why as the middle of the message
   * @throws ParameterException naming those that were given
   */
  static void refuse(CommandSpec verb, String beside, String why, List<String> names) {
    List<String> given =
        names.stream().filter(verb.commandLine().getParseResult()::hasMatchedOption).toList();
    if (!given.isEmpty()) {
      throw new ParameterException(
          verb.commandLine(),
          "%s with %s: %s; fix: leave one of them out"
              .formatted(String.join(", ", given), beside, why));
    }
  }
}
