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
          "How long running streams may take to end at a stop. Keep it"
              + " below the time after which the service manager kills, which is often 30 s."
              + " Default: ${DEFAULT-VALUE}.")
  int drain = (int) RelaySettings.DEFAULT_DRAIN.toSeconds();

  @Option(
      names = "--hand-over",
      paramLabel = "PATH",
      description = {
        "Unix socket of this relay. Started while another process of the same relay listens there,"
            + " this one takes its place: ports, chains, name and what 'tune' set, without a"
            + " connection lost. The other one ends with its last stream. Default: none."
      })
  @Nullable Path handOver;
}
