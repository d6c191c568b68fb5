package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    description = {
      "Drain relays before maintenance: no new chain uses them until --end.",
      "Streams of several pipes move to other pipes; streams of other chains keep running. A"
          + " relay stays drained across restarts.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cascade drain fra && cascade streams",
      "  cascade drain fra --end"
    })
public final class DrainVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(
      paramLabel = "RELAY",
      arity = "1..*",
      completionCandidates = KnownNames.OfRelays.class,
      description = "Names of the relays.")
  private List<String> relays = List.of();

  @Option(
      names = "--end",
      description = "End the drain: new chains and pipes may use the relays again.")
  private boolean end;

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    List<Relay> changed = new ArrayList<>();
    for (String name : relays) {
      Relay relay = end ? client.useAgain(name) : client.drain(name);
      changed.add(relay);
      if (!output.json()) {
        output.out().println(relay.name() + " " + relay.status());
        output.out().flush();
      }
    }
    if (output.json()) {
      output.document(Map.of("relays", changed));
    }
    return 0;
  }
}
