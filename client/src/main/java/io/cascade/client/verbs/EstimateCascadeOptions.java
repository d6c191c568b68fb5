package io.cascade.client.verbs;

import io.cascade.client.estimate.Forwarding;
import io.cascade.command.DataSize;
import io.cascade.command.OptionSection;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.estimate.SenderModel;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that describe how an estimate's relays and receivers behave. */
@OptionSection("Relays, receivers and parallel connections")
final class EstimateCascadeOptions {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = "--setup",
      paramLabel = "MODE",
      description = "Open the cascade in this way: ${COMPLETION-CANDIDATES} (default: WARM).")
  private @Nullable SetupMode setup;

  @Option(
      names = "--relay",
      paramLabel = "MODE",
      converter = EstimateConverters.Relaying.class,
      description =
          "Let relays forward in this way: pipelined, chunked:SIZE or store (default: pipelined).")
  private @Nullable Forwarding relay;

  @Option(
      names = "--windows",
      paramLabel = "W",
      description =
          "Let a pipelined relay wait W round trips first (default: 0; as published: 16).")
  private @Nullable Double windows;

  @Option(
      names = "--controls",
      paramLabel = "LIST",
      split = ",",
      converter = EstimateConverters.Sender.class,
      description =
          "Let relays send with these congestion controls, such as cubic,bbr: each hop behind a"
              + " relay uses the fastest of them, unless --hops names another. Without it all hops"
              + " use --model.")
  private List<SenderModel> controls = List.of();

  @Option(
      names = "--rwnd",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Limit every receiver's window to this size, such as 64KiB (default: no limit).")
  private @Nullable DataSize receiveWindow;

  @Option(
      names = "--parallel",
      paramLabel = "K",
      defaultValue = "4",
      description = "Compare with K parallel direct connections (default: ${DEFAULT-VALUE}).")
  private int parallel = 4;

  /**
   * @throws ParameterException where the options contradict each other
   * @throws IllegalArgumentException where a value is out of the model's range
   */
  void addTo(EstimateRequest.Builder request) {
    request.parallelConnections(parallel).relayControls(controls);
    if (receiveWindow != null) {
      request.receiveWindowBytes(receiveWindow.bytes());
    }
    if (setup != null) {
      request.setup(setup);
    }
    forwarding().ifPresent(request::forwarding);
  }

  private Optional<RelayDiscipline> forwarding() {
    Forwarding asked = relay;
    Double wait = windows;
    if (wait == null) {
      return Optional.ofNullable(asked).map(Forwarding::discipline);
    }
    if (asked != null && !(asked.discipline() instanceof RelayDiscipline.CutThrough)) {
      throw misuse("--windows: " + wait + " (expected: with --relay pipelined only)");
    }
    if (!(wait >= 0 && Double.isFinite(wait))) {
      throw misuse("--windows: " + wait + " (expected: 0 or more)");
    }
    return Optional.of(new RelayDiscipline.CutThrough(wait));
  }

  private ParameterException misuse(String message) {
    return new ParameterException(verb.commandLine(), message);
  }
}
