package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The relay at which sender and receiver meet. */
final class ThroughOption {
  private static final String AUTO = "auto";

  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee;

  @Option(
      names = "--through",
      paramLabel = "RELAY[:PORT]|auto",
      description =
          "Meet senders at a relay that was started with --rendezvous (default port: 7414), and do"
              + " not listen: the code names the relay, and senders connect to it, too. auto picks"
              + " the nearest that the orchestrator knows. With --listen, accept connections there"
              + " as well.")
  private @Nullable String through;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();

  /**
   * The relay; null where the receiver is not met at one.
   *
   * @throws ParameterException where it is malformed, or another option contradicts it
   */
  @Nullable HostPort relay() throws InterruptedException {
    String named = through;
    if (named == null) {
      return null;
    }
    UnusedOptions.refuse(
        mixee,
        "--through",
        "senders through a relay need a code or a key",
        List.of("--open-to-anyone", "--raw"));
    if (named.equals(AUTO)) {
      return ThroughRelay.nearest(orchestrator.client());
    }
    try {
      return new ThroughRelay.Converter().convert(named);
    } catch (TypeConversionException e) {
      throw new ParameterException(mixee.commandLine(), "--through: " + e.getMessage(), e);
    }
  }
}
