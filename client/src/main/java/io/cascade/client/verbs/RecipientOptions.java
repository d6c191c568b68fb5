package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** To whom a file goes: a code alone, or an address with a key, or without for clear text. */
final class RecipientOptions {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee;

  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description =
          "Instead of a code, where the receiver listens: with --key-file, or in clear to a receiver"
              + " that is --open-to-anyone.")
  private @Nullable HostPort to;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "With --to or --through, a file with the key that the receiver was started with.")
  private @Nullable Path keyFile;

  @Option(
      names = "--through",
      paramLabel = "RELAY[:PORT]",
      converter = ThroughRelay.Converter.class,
      description =
          "With --key-file, instead of --to: the relay that the receiver was started with (port"
              + " 7414).")
  private @Nullable HostPort through;

  /**
   * See {@link Recipient#of}.
   *
   * @throws ParameterException where what was given names no recipient
   */
  Recipient recipient(@Nullable String code) {
    try {
      return Recipient.of(code, to, through, keyFile);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(mixee.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
