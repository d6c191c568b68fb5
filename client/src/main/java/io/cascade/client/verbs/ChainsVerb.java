package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.client.terminal.RouteText;
import io.cascade.client.terminal.Table;
import io.cascade.client.ways.Chains;
import io.cascade.contract.ControlText;
import io.cascade.contract.Quantities;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "chains",
    mixinStandardHelpOptions = true,
    description = "List open chains, newest first; with --all also closed and failed ones.")
public final class ChainsVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(names = "--all", description = "Include closed and failed chains.")
  private boolean all;

  /** Enough characters to select a chain; the document has the complete id. */
  private static String shortId(Chain chain) {
    return chain.id().toString().substring(0, 8);
  }

  @Override
  public Integer call() {
    List<Chain> chains =
        orchestrator.client().chains().chains().stream()
            .filter(chain -> all || Chains.isLive(chain))
            .toList();
    Table table =
        new Table("id", "name", "state", "ingress", "via", "destination", "?since", "?>set-up", "");
    Instant now = Instant.now();
    for (Chain chain : chains) {
      table.row(
          shortId(chain),
          Output.orDash(chain.name()),
          chain.state(),
          chain.ingress() == null ? "-" : Chains.ingress(chain).toString(),
          RouteText.relays(chain) + ControlText.of(chain),
          chain.destination(),
          Quantities.ago(chain.createdAt(), now),
          chain.setup() == null ? "-" : Quantities.millis(chain.setup().elapsedMillis()),
          chain.reason() == null ? "" : chain.reason());
    }
    output.list(new ChainList(chains), table, all ? "no chain yet" : "no chain is open");
    return 0;
  }
}
