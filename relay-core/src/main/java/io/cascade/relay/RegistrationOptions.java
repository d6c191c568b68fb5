package io.cascade.relay;

import io.cascade.command.BitRate;
import io.cascade.command.StateHome;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for who a relay is, and for the orchestrator that plans with it. */
final class RegistrationOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Unique name: a-z, 0-9 and -. Default: this machine's host name.")
  @Nullable String name;

  @Option(
      names = "--site",
      paramLabel = "SITE",
      defaultValue = "default",
      description = "Where the relay stands, such as a city. Default: ${DEFAULT-VALUE}.")
  String site = "default";

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      description = "Orchestrator to register with, such as http://HOST:7400. Default: none.")
  @Nullable URI orchestrator;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Shared secret of orchestrator and relays, or this relay's API key. Default: none, on"
              + " loopback only.")
  @Nullable String token;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "The relay's key, by which the orchestrator knows it, and a count of its starts; made where"
            + " missing. Keep it: another key does not get the relay's name."
            + " Default: relays/NAME.identity in $XDG_STATE_HOME/cascade or ~/.local/state/cascade."
      })
  @Nullable Path identity;

  @Option(
      names = "--serve-alone",
      paramLabel = "DURATION",
      defaultValue = "7d",
      converter = OptionConverters.ServeAloneConverter.class,
      description = {
        "How long chains go on taking streams while the orchestrator is away, counted from the last"
            + " contact with it, such as 12h; 0 until their leases run out."
            + " Default: ${DEFAULT-VALUE}."
      })
  Duration serveAlone = RelaySettings.DEFAULT_SERVE_ALONE;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description =
          "What this relay can carry, such as 100Mbit, for the planner. Default: unknown.")
  @Nullable BitRate capacity;

  @Option(
      names = "--price-per-gib",
      paramLabel = "PRICE",
      description = "What a GiB through this relay costs, for the planner. Default: unknown.")
  @Nullable Double pricePerGib;

  /** The relay's name. */
  String relayName() {
    return name == null ? HostName.asRelayName() : name;
  }

  /** The file with the relay's key. */
  Path identityFile() {
    return identity == null
        ? StateHome.cascade().resolve("relays").resolve(relayName() + ".identity")
        : identity;
  }

  /** The capacity in bits a second; null where it is unknown. */
  @Nullable Long capacityBitsPerSecond() {
    return capacity == null ? null : (Long) capacity.bitsPerSecond();
  }
}
