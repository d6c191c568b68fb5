package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.AdviceList;
import io.cascade.api.orchestrator.DestinationAdvice;
import io.cascade.client.terminal.AdviceText;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    customSynopsis = "cascade advise [HOST:PORT] [OPTIONS]",
    description = {
      "Show whether relays would speed up recently used destinations, by how much, and how certain"
          + " that is.",
      "Considers the past day's destinations: those of chains, of the relays' SOCKS5 and CONNECT"
          + " clients (direct streams included), and of direct sends. Each is planned for at most"
          + " once in five minutes."
    },
    footer = {
      "",
      "Examples:",
      "  cascade advise",
      "  cascade advise db.example.org:5432",
      "  cascade advise --limit 100 --json"
    })
public final class AdviseVerb implements Callable<Integer> {
  private static final int MOST = 100;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "Consider only this destination.")
  private @Nullable HostPort destination;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Consider the N destinations used last (default: ${DEFAULT-VALUE}; at most 100).")
  private int limit = 20;

  @Override
  public Integer call() {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--limit " + limit + " (expected: 1 to " + MOST + ")");
    }
    AdviceList advice = orchestrator.client().advice(destination, limit);
    if (output.json()) {
      output.document(advice);
      return 0;
    }
    Instant now = Instant.now();
    for (DestinationAdvice one : advice.destinations()) {
      AdviceText.print(one, now, output.out());
    }
    output.out().flush();
    if (advice.destinations().isEmpty()) {
      output.note(
          destination == null
              ? "no stream was seen in the past day: plan with ./cascade plan --to HOST:PORT"
              : "no stream to "
                  + destination
                  + " was seen in the past day: plan with ./cascade plan --to "
                  + destination);
    }
    return 0;
  }
}
