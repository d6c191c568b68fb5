package io.cascade.relay;

import io.cascade.command.DataSize;
import io.cascade.command.OptionSection;
import io.cascade.command.StateHome;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for how much a relay does concurrently. */
@OptionSection("Limits")
final class LimitOptions {
  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = DataSize.Converter.class,
      description = "Hold at most this many stream bytes at a time (default: ${DEFAULT-VALUE}).")
  DataSize memory = new DataSize(RelaySettings.DEFAULT_MEMORY_BUDGET_BYTES);

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      defaultValue = "" + RelaySettings.DEFAULT_MAX_STREAMS,
      description = "Allow at most N concurrent streams (default: ${DEFAULT-VALUE}).")
  int maxStreams = RelaySettings.DEFAULT_MAX_STREAMS;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--spool-dir",
      paramLabel = "DIR",
      description =
          "Keep the files of store-and-forward in this folder, readable by this user only (default:"
              + " spool-NAME beside the relay's identity, in ~/.local/state/cascade).")
  @Nullable Path spoolDir;

  @Option(
      names = "--test-budget",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = DataSize.Converter.class,
      description = {
        "Move at most this many bytes per hour in throughput tests to and from other relays"
            + " (default: ${DEFAULT-VALUE}); 0 disables tests."
      })
  DataSize testBudget = new DataSize(RelaySettings.DEFAULT_TEST_BUDGET_BYTES);

  @Option(
      names = "--controls",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Allow these congestion controls in plans, chains and throughput tests here, such as"
            + " reno,cubic. If the system's default is not among them, the first one replaces it"
            + " (default: reno, cubic and bbr, as far as the kernel offers them)."
      })
  @Nullable List<String> controls;

  /** The folder of a relay's store-and-forward files. */
  Path spoolDir(String relay) {
    return spoolDir == null ? StateHome.cascade().resolve("spool-" + relay) : spoolDir;
  }
}
