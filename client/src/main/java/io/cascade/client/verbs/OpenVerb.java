package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.terminal.SetupText;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    description = {
      "Set a chain of relays up and print where to connect to, alone on stdout.",
      "Without --via the planner chooses the relays. The chain stays until it is closed."
    })
public final class OpenVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();
  @Mixin private PathOptions path = new PathOptions();
  @Mixin private ChainShape shape = new ChainShape();

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
      converter = DataSize.Converter.class,
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
                bytes == null || bytes.bytes() == 0 ? null : (Long) bytes.bytes(),
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
