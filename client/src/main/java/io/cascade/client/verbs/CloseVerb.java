package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.client.ways.Chains;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "close",
    mixinStandardHelpOptions = true,
    description =
        "Close chains: they accept no new streams, and running streams may finish unless --abort is"
            + " given.")
public final class CloseVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "CHAIN",
      completionCandidates = KnownNames.OfChains.class,
      arity = "0..*",
      description = "Ids of chains, unique prefixes of ids, or names.")
  private List<String> chains = List.of();

  @Option(names = "--all", description = "Close every chain that is not yet closed.")
  private boolean all;

  @Option(names = "--abort", description = "Reset running streams instead of letting them finish.")
  private boolean abort;

  @Override
  public Integer call() {
    if (chains.isEmpty() == !all) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "name the chains to close, or give --all");
    }
    OrchestratorClient client = orchestrator.client();
    List<UUID> wanted = new ArrayList<>();
    if (all) {
      client.chains().chains().stream()
          .filter(Chains::isLive)
          .forEach(chain -> wanted.add(chain.id()));
    } else {
      chains.forEach(chain -> wanted.add(ChainSelection.find(client, chain)));
    }
    List<Chain> closed = new ArrayList<>();
    for (UUID id : wanted) {
      Chain chain = client.close(id, abort);
      closed.add(chain);
      if (!output.json()) {
        output.out().println(chain.id() + " " + chain.state());
        output.out().flush();
      }
    }
    if (output.json()) {
      output.document(Map.of("chains", closed));
    } else if (closed.isEmpty()) {
      output.note("no chain is open");
    }
    return 0;
  }
}
