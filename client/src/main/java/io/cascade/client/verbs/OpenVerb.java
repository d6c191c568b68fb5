package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.terminal.SetupText;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    customSynopsis = "cascade open --to HOST:PORT [OPTIONS]",
    description = {
      "Set a chain of relays up and print where to connect to, alone on stdout.",
      "Without --via the planner chooses the relays. The chain stays until it is closed."
    },
    footer = {
      "",
      "Examples:",
      "  cascade open --to db.example.org:5432 --name db --ingress-port 15432",
      "  cascade open --to files.example.org:9000 --via den,sea --security tls",
      "  cascade open --to files.example.org:9000 --bytes 1GiB --only-if-better"
    })
public final class OpenVerb implements Callable<Integer> {
  @Mixin private PathOptions path = new PathOptions();
  @Mixin private ChainShape shape = new ChainShape();
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "The destination that the last relay connects to.")
  private HostPort to;

  @Option(names = "--name", paramLabel = "NAME", description = "What to call the chain.")
  private @Nullable String name;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      description = "How much is to be moved, for the planner.")
  private @Nullable DataSize bytes;

  @Option(
      names = "--setup",
      paramLabel = "HOW",
      description = "${COMPLETION-CANDIDATES} (PARALLEL; SEQUENTIAL is there to compare).")
  private @Nullable SetupMode setup;

  @Option(
      names = "--ingress-port",
      paramLabel = "PORT",
      description = "Where the first relay listens (a free port).")
  private @Nullable Integer ingressPort;

  @Option(
      names = "--only-if-better",
      description = "Open nothing where the plan does not expect a cascade to pay.")
  private boolean onlyIfBetter;

  @Option(
      names = "--lease",
      paramLabel = "SECONDS",
      description = {
        "How long after the last renewal relays know that nobody looks after the chain (60). They"
            + " serve it on for as long as relay --serve-alone says."
      })
  private @Nullable Integer lease;

  @Override
  public Integer call() throws InterruptedException {
    OrchestratorClient client = orchestrator.client();
    boolean planned = path.via().isEmpty() || onlyIfBetter;
    Source source = planned ? path.source(client, to, output) : null;
    Chain chain =
        client.open(
            new ChainRequest(
                to.toString(),
                name,
                path.viaOrNull(),
                path.avoidOrNull(),
                path.maxRelays(),
                bytes == null ? null : (Long) bytes.bytes(),
                source,
                setup,
                ingressPort,
                onlyIfBetter ? true : null,
                lease,
                shape.options(),
                null,
                null),
            UUID.randomUUID().toString());
    output.note(
        "chain %s to %s via %s is %s"
            .formatted(
                chain.id(), chain.destination(), String.join(", ", chain.relays()), chain.state()));
    noteAgainstPlan(chain.plan());
    if (chain.setup() != null) {
      SetupText.print(chain.setup(), output.err());
    }
    if (output.json()) {
      output.document(chain);
    } else {
      output.out().println(ingress(chain));
      output.out().flush();
    }
    return 0;
  }

  /** A chain is opened against its plan, but not without a word. */
  private void noteAgainstPlan(@Nullable Plan plan) {
    if (plan != null && plan.decision() != Decision.CASCADE) {
      output.note(
          "note: the plan expects no sure gain; opened because you asked (--only-if-better opens"
              + " only what pays). "
              + PlanSummary.of(plan, Instant.now()));
    }
  }

  static HostPort ingress(Chain chain) {
    Endpoint ingress = chain.ingress();
    if (ingress == null) {
      throw new Complaint(
          "chain "
              + chain.id()
              + " is "
              + chain.state()
              + " and has no ingress: ./cascade chain "
              + chain.id());
    }
    return new HostPort(ingress.host(), ingress.port());
  }
}
