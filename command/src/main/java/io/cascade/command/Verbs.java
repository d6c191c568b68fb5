package io.cascade.command;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Gives a {@link CommandLine} the behaviour of every verb of Cascade.
 *
 * <p>Exit codes: 0 success, 1 failure (one line says why), 2 misuse (one line says how to use it),
 * 75 where the same command may succeed later ({@code EX_TEMPFAIL} of sysexits.h), 141 where the
 * reader of its output ended first, as a shell reports an end by SIGPIPE.
 */
public final class Verbs {
  public static final int READER_GONE = 141;

  /** Exit code of a verb that failed and may succeed when it is called again. */
  public static final int TRY_AGAIN = 75;

  private Verbs() {}

  /**
   * Sets the order of configuration, one-line errors and exit codes.
   *
   * @param explain turns a failure into its one line
   */
  public static CommandLine prepare(
      CommandLine line, Map<String, String> environment, Explanation explain) {
    IParameterExceptionHandler misuse =
        (failure, arguments) -> {
          CommandLine at = failure.getCommandLine();
          PrintWriter err = at.getErr();
          Throwable cause = failure.getCause();
          String message =
              switch (failure) {
                case CommandLine.ParameterException _ when cause instanceof CommandException ->
                    cause.getMessage();
                case UnmatchedArgumentException unmatched ->
                    unmatched(at, unmatched.getUnmatched().getFirst());
                case MissingParameterException _ ->
                    // A mistyped option is likelier the reason than a missing one.
                    unknownOption(at, arguments)
                        .map(typed -> unmatched(at, typed))
                        .orElse(failure.getMessage());
                default -> failure.getMessage();
              };
          err.println(at.getCommandSpec().qualifiedName() + ": " + firstLine(message));
          err.println("Try '" + at.getCommandSpec().qualifiedName() + " --help'.");
          err.flush();
          return CommandLine.ExitCode.USAGE;
        };
    IExecutionExceptionHandler failed =
        (failure, at, result) -> {
          if (failure instanceof StandardOutput.ReaderGone) {
            return READER_GONE;
          }
          at.getErr()
              .println(at.getCommandSpec().qualifiedName() + ": " + firstLine(explain.of(failure)));
          at.getErr().flush();
          if (environment.containsKey("CASCADE_DEBUG")) {
            failure.printStackTrace(at.getErr());
          }
          return explain.mayPass(failure) ? TRY_AGAIN : CommandLine.ExitCode.SOFTWARE;
        };
    line.setOut(StandardOutput.writer());
    line.setDefaultValueProvider(new ConfigurationOrder(environment));
    line.setParameterExceptionHandler(misuse);
    line.setExecutionExceptionHandler(failed);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    inSections(line, false);
    return line;
  }

  /** Makes help show all options of verbs that have {@link FirstOptions}, too. */
  public static void showAllOptions(CommandLine line) {
    inSections(line, true);
  }

  private static void inSections(CommandLine line, boolean all) {
    line.getHelpSectionMap()
        .computeIfPresent(
            UsageMessageSpec.SECTION_KEY_OPTION_LIST,
            (_, before) ->
                before instanceof OptionList list
                    ? list.showing(all)
                    : new OptionList(before, all));
    if (line.getCommand().getClass().isAnnotationPresent(FirstOptions.class)) {
      line.getCommandSpec().usageMessage().abbreviateSynopsis(!all);
    }
    line.getSubcommands().values().forEach(each -> inSections(each, all));
  }

  /** Names the unknown word and, if a known one is similar, suggests that. */
  private static String unmatched(CommandLine at, String typed) {
    String name = typed.replaceFirst("=.*", "");
    boolean option = typed.startsWith("-");
    boolean verb = !option && !at.getSubcommands().isEmpty();
    if (!option && !verb) {
      return "'" + typed + "' is one argument too many";
    }
    Collection<String> known =
        option ? at.getCommandSpec().optionsMap().keySet() : at.getSubcommands().keySet();
    return (option ? "no option '" + name + "'" : "no verb '" + name + "'")
        + Suggestion.nearest(name, known)
            .map(nearest -> "; did you mean " + nearest + "?")
            .orElse("");
  }

  /** The first argument that looks like an option and is unknown. */
  private static Optional<String> unknownOption(CommandLine at, String... arguments) {
    Set<String> known = at.getCommandSpec().optionsMap().keySet();
    return Arrays.stream(arguments)
        .takeWhile(each -> !each.equals("--"))
        .filter(each -> each.startsWith("--") && !known.contains(each.replaceFirst("=.*", "")))
        .findFirst();
  }

  private static String firstLine(@Nullable String message) {
    return message == null
        ? "no reason given"
        : Printable.line(message.lines().findFirst().orElse(message));
  }

  /** Turns a failure into the one line that names it and its fix. */
  @FunctionalInterface
  public interface Explanation {
    String of(Throwable failure);

    /** Whether the same command may succeed later. */
    default boolean mayPass(Throwable failure) {
      return false;
    }
  }
}
