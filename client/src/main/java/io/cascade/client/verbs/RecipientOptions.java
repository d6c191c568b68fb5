package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.client.sealed.Code;
import io.cascade.client.ways.Recipient;
import io.cascade.command.CommandException;
import io.cascade.command.KeyFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options for the receiver of a file: a code alone, or an address, with a key or without one for
 * clear text.
 */
final class RecipientOptions {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee;

  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description =
          "Send to this address instead of using a code: with --key-file, or in clear text to a"
              + " receiver started with --open-to-anyone.")
  private @Nullable HostPort to;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "With --to or --through: use the key in this file, the same as the receiver's.")
  private @Nullable Path keyFile;

  @Option(
      names = "--through",
      paramLabel = "RELAY[:PORT]",
      converter = ThroughRelay.Converter.class,
      description =
          "With --key-file, instead of --to: meet the receiver at the relay that it was started"
              + " with (default port: 7414).")
  private @Nullable HostPort through;

  /** The arguments that are files: all, or all except the last one, which is the code. */
  List<String> files(List<String> arguments) {
    return code(arguments) == null ? arguments : arguments.subList(0, arguments.size() - 1);
  }

  private @Nullable String code(List<String> arguments) {
    String last = arguments.getLast();
    boolean isCode =
        arguments.size() > 1 && ((to == null && through == null) || looksLikeCode(last));
    return isCode ? last : null;
  }

  private static boolean looksLikeCode(String argument) {
    try {
      Code _ = Code.parse(argument);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Determines the recipient that the command line names.
   *
   * @param arguments files, and after them the code if there is one
   * @throws ParameterException where they name no recipient
   * @throws CommandException where the key cannot be used
   */
  Recipient recipient(List<String> arguments) {
    try {
      return of(code(arguments));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(mixee.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Recipient of(@Nullable String code) {
    if (code != null && through != null) {
      throw new IllegalArgumentException(
          "a code and --through: the code names the relay already, where there is one; fix: leave"
              + " one of them out");
    }
    if (code != null && to != null) {
      throw new IllegalArgumentException(
          "a code and --to: the code names the receiver already; fix: leave one of them out");
    }
    if (code != null && keyFile != null) {
      throw new IllegalArgumentException(
          "a code and --key-file: give --to HOST:PORT with the key, or the code alone");
    }
    if (code != null) {
      return Recipient.ofCode(code);
    }
    if (through != null) {
      if (to != null || keyFile == null) {
        throw new IllegalArgumentException(
            "--through RELAY needs --key-file FILE and no --to: both ends find each other at the"
                + " relay by the key");
      }
      return Recipient.metByKey(through, KeyFile.read(keyFile));
    }
    if (to == null) {
      throw new IllegalArgumentException(
          "no receiver is given; fix: give the CODE that ./cascade receive prints, or --to"
              + " HOST:PORT with --key-file FILE");
    }
    return keyFile == null ? Recipient.inClear(to) : Recipient.ofKey(to, KeyFile.read(keyFile));
  }
}
