package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.measure.PathProbe;
import io.cascade.client.ways.OwnPaths;
import io.cascade.command.OptionSection;
import io.cascade.kernel.settings.KernelSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for the start of a path and the relays that it may use. */
@OptionSection("Source and route")
final class PathOptions {
  /** Time that a plan may wait for decisive throughput tests. */
  static final double MEASURE_SECONDS = 5;

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  @Option(
      names = "--from",
      completionCandidates = KnownNames.OfRelays.class,
      paramLabel = "RELAY",
      description =
          "Start at this relay's site and use its measurements. Without it this host measures for"
              + " itself.")
  private @Nullable String from;

  @Option(
      names = "--via",
      completionCandidates = KnownNames.OfRelays.class,
      paramLabel = "RELAY",
      split = ",",
      description = "Use exactly these relays, in this order.")
  private List<String> via = List.of();

  @Option(
      names = "--avoid",
      completionCandidates = KnownNames.OfRelays.class,
      paramLabel = "RELAY",
      split = ",",
      description = "Use none of these relays.")
  private List<String> avoid = List.of();

  @Option(
      names = "--max-relays",
      paramLabel = "N",
      description = "Use at most N relays (default: 4, unless the orchestrator says otherwise).")
  private @Nullable Integer maxRelays;

  @Option(
      names = "--controls",
      paramLabel = "NAME",
      split = ",",
      description =
          "Limit the congestion controls that the plan may choose for relays, if that gains"
              + " clearly, and that this host's connections may use, such as reno,cubic; own: only"
              + " each sender's usual one (default: all that each offers).")
  private @Nullable List<String> controls;

  @Option(
      names = "--probes",
      paramLabel = "N",
      defaultValue = "20",
      converter = Probes.class,
      description =
          "Make N connections from this host to the destination and to each relay, to measure"
              + " (default: ${DEFAULT-VALUE}; at most 1000; 0 measures nothing).")
  private int probes = 20;

  @Option(
      names = "--source-congestion-control",
      paramLabel = "NAME",
      description =
          "Assume this congestion control for a direct connection from the source, such as cubic"
              + " (default: this host's own).")
  private @Nullable String sourceCongestionControl;

  @Nullable String from() {
    return from;
  }

  List<String> via() {
    return via;
  }

  @Nullable List<String> viaOrNull() {
    return via.isEmpty() ? null : via;
  }

  @Nullable List<String> avoidOrNull() {
    return avoid.isEmpty() ? null : avoid;
  }

  /** Null where not given; empty for the relays' defaults. */
  @Nullable List<String> controlsOrNull() {
    return controls != null && controls.equals(List.of("own")) ? List.of() : controls;
  }

  /** Whether a connection of this host may use a congestion control other than its default. */
  boolean mayUse(String control) {
    return controls == null || controls.contains(control);
  }

  @Nullable Integer maxRelays() {
    return maxRelays;
  }

  /** The given congestion control; if this host is the source, the one that its system uses. */
  private @Nullable String congestionControl() {
    return ownControl().orElse(sourceCongestionControl);
  }

  /** Name of this host's congestion control if the direct path uses it, for display. */
  Optional<String> ownControl() {
    return sourceCongestionControl == null && from == null
        ? Optional.ofNullable(KernelSettings.congestionControl())
        : Optional.empty();
  }

  /** Describes a source in a described network, which is not this host. */
  @Nullable Source describedSource() {
    return sourceCongestionControl == null
        ? null
        : Source.builder().congestionControl(sourceCongestionControl).build();
  }

  /** The source as the orchestrator expects it; measures if that is this host. */
  @Nullable Source source(OrchestratorClient orchestrator, HostPort destination, Output output)
      throws InterruptedException {
    return source(
        orchestrator, destination, output, new PathProbe(probes, OwnPaths.SPACING, TIMEOUT));
  }

  /**
   * The {@link #source}, by a measurement that takes a few round trips, and at most a second.
   *
   * @param destination null where the path to it does not matter
   */
  @Nullable Source quickSource(
      OrchestratorClient orchestrator, @Nullable HostPort destination, Output output)
      throws InterruptedException {
    return source(orchestrator, destination, output, OwnPaths.quick(probes));
  }

  private @Nullable Source source(
      OrchestratorClient orchestrator,
      @Nullable HostPort destination,
      Output output,
      PathProbe probe)
      throws InterruptedException {
    if (from != null) {
      return Source.builder().relay(from).congestionControl(sourceCongestionControl).build();
    }
    if (probes <= 0) {
      return Source.builder().congestionControl(congestionControl()).build();
    }
    OwnPaths paths =
        OwnPaths.to(
            destination,
            orchestrator,
            name -> via.isEmpty() ? !avoid.contains(name) : via.contains(name));
    output.note(
        "measuring from this host: %d connections to %seach of %d relays"
            .formatted(
                probe.probes(),
                destination == null ? "" : "the destination and to ",
                paths.relays()));
    return Source.builder()
        .observations(paths.measure(probe))
        .congestionControl(congestionControl())
        .build();
  }

  /** Converts a number of connections that is harmless for any destination. */
  static final class Probes implements ITypeConverter<Integer> {
    private static final int MOST = 1_000;

    @Override
    public Integer convert(String value) {
      try {
        int number = Integer.parseInt(value.strip());
        if (number >= 0 && number <= MOST) {
          return number;
        }
      } catch (NumberFormatException e) {
        // The exception below reports it.
      }
      throw new TypeConversionException("'" + value + "' (expected: 0 to " + MOST + ")");
    }
  }
}
