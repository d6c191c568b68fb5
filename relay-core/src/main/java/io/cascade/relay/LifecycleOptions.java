package io.cascade.relay;

import io.cascade.command.OptionSection;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for how a relay stops and is replaced. */
@OptionSection("Start and stop")
final class LifecycleOptions {
  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      defaultValue = "25",
      description =
          "Give running streams this long to end when the relay stops (default: ${DEFAULT-VALUE})."
              + " Keep it below the service manager's kill timeout, which is often 30 s.")
  int drain = (int) RelaySettings.DEFAULT_DRAIN.toSeconds();

  @Option(
      names = "--hand-over",
      paramLabel = "PATH",
      description = {
        "Hand over through this Unix socket: a process of the same relay that is started later"
            + " takes over ports, chains, name and what 'tune' set, without losing a connection."
            + " The earlier process exits with its last stream (default: none)."
      })
  @Nullable Path handOver;
}
