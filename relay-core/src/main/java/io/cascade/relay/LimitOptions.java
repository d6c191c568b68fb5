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
      description = "The most stream bytes held at a time. Default: ${DEFAULT-VALUE}.")
  DataSize memory = new DataSize(RelaySettings.DEFAULT_MEMORY_BUDGET_BYTES);

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      defaultValue = "" + RelaySettings.DEFAULT_MAX_STREAMS,
      description = "The most streams at a time. Default: ${DEFAULT-VALUE}.")
  int maxStreams = RelaySettings.DEFAULT_MAX_STREAMS;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--spool-dir",
      paramLabel = "DIR",
      description =
          "Where store-and-forward keeps its files, which only this user can read. Default: spool-NAME"
              + " beside the relay's identity, in ~/.local/state/cascade.")
  @Nullable Path spoolDir;

  @Option(
      names = "--test-budget",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = DataSize.Converter.class,
      description = {
        "The most bytes that throughput tests to and from other relays move in any hour; 0 for no"
            + " tests. Default: ${DEFAULT-VALUE}."
      })
  DataSize testBudget = new DataSize(RelaySettings.DEFAULT_TEST_BUDGET_BYTES);

  @Option(
      names = "--controls",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Congestion controls that plans, chains and throughput tests may use here, such as"
            + " reno,cubic. Where the system's default is not among them, the first one is used"
            + " instead. Default: reno, cubic and bbr, as far as the kernel offers them."
      })
  @Nullable List<String> controls;

  /** The folder of a relay's store-and-forward files. */
  Path spoolDir(String relay) {
    return spoolDir == null ? StateHome.cascade().resolve("spool-" + relay) : spoolDir;
  }
}
