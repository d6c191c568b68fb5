package io.cascade.client.verbs;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.terminal.RouteText;
import io.cascade.client.terminal.SetupText;
import io.cascade.client.terminal.Table;
import io.cascade.client.ways.Chains;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "chain",
    mixinStandardHelpOptions = true,
    description = "Show one chain in full: state, set-up, plan and totals of every relay.")
public final class ChainVerb implements Callable<Integer> {
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
    Chain chain = client.chain(ChainSelection.find(client, wanted));
    if (output.json()) {
      output.document(chain);
    } else {
      print(chain, output.out());
    }
    return 0;
  }

  private static void print(Chain chain, PrintWriter out) {
    out.println("chain        " + chain.id());
    if (chain.name() != null) {
      out.println("name         " + Printable.line(chain.name()));
    }
    String reason = chain.reason() == null ? "" : " (" + chain.reason() + ")";
    out.println("state        " + chain.state() + Printable.line(reason));
    out.println("destination  " + Printable.line(chain.destination()));
    out.println("relays       " + RouteText.relays(chain));
    if (chain.ingress() != null) {
      out.println("ingress      " + Chains.ingress(chain));
    }
    Instant now = Instant.now();
    out.println(
        "since        "
            + Quantities.ago(chain.createdAt(), now)
            + ", last changed "
            + Quantities.ago(chain.updatedAt(), now));
    if (chain.trial() != null) {
      out.println("trial        " + chain.trial().summary());
    }
    ChainOptions options = chain.options();
    if (options != null) {
      out.println("options      " + Json.lenient().writeValueAsString(options));
    }
    if (chain.setup() != null) {
      out.println();
      out.println("Set-up");
      SetupText.print(chain.setup(), out);
    }
    if (chain.totals() != null && !chain.totals().isEmpty()) {
      out.println();
      out.println("Totals");
      Table totals =
          new Table(
              "relay",
              ">running",
              ">opened",
              ">completed",
              ">failed",
              ">forward",
              ">backward",
              ">warm",
              "failures");
      for (RelayTotals relay : chain.totals()) {
        totals.row(
            relay.relay(),
            relay.running(),
            relay.opened(),
            relay.completed(),
            relay.failed(),
            DataSize.format(relay.forwardBytes()),
            DataSize.format(relay.backwardBytes()),
            relay.warmConnections(),
            relay.failures() == null || relay.failures().isEmpty() ? "" : relay.failures());
      }
      totals.print(out, "  ");
    }
    if (chain.plan() != null) {
      out.println();
      PlanText.print(chain.plan(), out);
    }
    out.flush();
  }
}
