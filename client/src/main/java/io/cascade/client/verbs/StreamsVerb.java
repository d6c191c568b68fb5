package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.client.terminal.RouteText;
import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "streams",
    mixinStandardHelpOptions = true,
    description = "Show a chain's streams as each of its relays sees them.")
public final class StreamsVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(
      paramLabel = "CHAIN",
      completionCandidates = KnownNames.OfChains.class,
      description = "Id of the chain, a unique prefix of it, or its name.")
  private String wanted = "";

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    ChainStreams streams = client.streams(ChainSelection.find(client, wanted));
    if (output.json()) {
      output.document(streams);
      return 0;
    }
    Table table =
        new Table(
            "stream",
            "?client",
            "relay",
            "state",
            "?>forward in",
            ">forward",
            "?>backward in",
            ">backward",
            "?>peak held",
            "?>first byte",
            "why it ended");
    for (ChainStream stream : streams.streams()) {
      // Ids of one chain have the same beginning.
      String id = stream.streamId().toString().substring(24);
      String from = Output.orDash(stream.client());
      for (StreamAtRelay relay : stream.relays()) {
        table.row(
            id,
            from,
            relay.relay(),
            relay.state(),
            relay.forwardBytesIn(),
            relay.forwardBytesOut(),
            relay.backwardBytesIn(),
            relay.backwardBytesOut(),
            DataSize.format(relay.peakHeldBytes()),
            Quantities.millis(relay.firstByteMillis()),
            relay.reason() == null
                ? ""
                : relay.reason() + (relay.detail() == null ? "" : ": " + relay.detail()));
        List<PipeTotals> pipes = Objects.requireNonNullElse(relay.pipes(), List.of());
        for (PipeTotals pipe : pipes) {
          table.row(
              "",
              "",
              "  pipe " + pipe.hop().pipe(),
              "",
              "",
              "",
              "",
              "",
              "",
              "",
              RouteText.pipe(pipe, pipes));
        }
        id = "";
        from = "";
      }
    }
    output.table(table, "no stream yet");
    if (streams.unreachable() != null && !streams.unreachable().isEmpty()) {
      output.note("no answer from " + String.join(", ", streams.unreachable()));
    }
    return 0;
  }
}
