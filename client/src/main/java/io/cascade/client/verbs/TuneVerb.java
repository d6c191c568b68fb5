package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.command.DataSize;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Change the limits of a running relay, and show them.",
      "Running streams are kept. A restart restores the limits of the relay's command line.",
      ""
    },
    footer = {"", "Example:", "  cascade tune fra --max-streams 20000 --memory 512MiB"})
public final class TuneVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(
      paramLabel = "RELAY",
      completionCandidates = KnownNames.OfRelays.class,
      description = "Name of the relay.")
  private String relay = "";

  @Option(
      names = "--max-streams",
      paramLabel = "N",
      description = "Allow at most N concurrent streams.")
  private @Nullable Integer maxStreams;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "Hold at most this many stream bytes at a time.")
  private @Nullable DataSize memory;

  @Option(
      names = "--stream-memory",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Hold at most this much of one stream, for chains that set no limit of their own; applies"
              + " to new streams.")
  private @Nullable DataSize streamMemory;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      description = "Give running streams this long to end when the relay stops.")
  private @Nullable Integer drain;

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    boolean changes = maxStreams != null || memory != null || streamMemory != null || drain != null;
    RelayLimits limits =
        changes
            ? client.change(
                relay,
                new RelayLimits(
                    maxStreams,
                    memory == null ? null : (Long) memory.bytes(),
                    streamMemory == null ? null : (Long) streamMemory.bytes(),
                    drain))
            : client.limits(relay);
    if (output.json()) {
      output.document(limits);
      return 0;
    }
    output
        .out()
        .println(
            relay
                + ": at most "
                + limits.maxStreams()
                + " streams, "
                + size(limits.memoryBytes())
                + " held, "
                + size(limits.streamBytes())
                + " of one stream; drains for "
                + limits.drainSeconds()
                + " s");
    output.out().flush();
    return 0;
  }

  private static String size(@Nullable Long bytes) {
    return bytes == null ? "-" : DataSize.format(bytes);
  }
}
