package io.cascade.gateway.tunnel;

import io.cascade.api.Json;
import io.cascade.api.client.ServerAddress;
import io.cascade.gateway.reporting.OrchestratorOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show what a gateway has done and the state of its links.",
      "Asks a gateway of this machine, or with --orchestrator the orchestrator for a gateway's"
          + " last report."
    },
    footer = {"", "Example: cascade gateway status gw1 --json"})
final class GatewayStatusVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      defaultValue = "gateway",
      description = "Name of the gateway, as given to up (default: ${DEFAULT-VALUE}).")
  private String name = "gateway";

  @Option(
      names = "--control",
      paramLabel = "FILE",
      description = "Connect to this socket, if up was given one.")
  private @Nullable Path control;

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      split = ServerAddress.SEPARATOR,
      splitSynopsisLabel = ",",
      description =
          "Ask this orchestrator instead of a gateway of this machine; of several, separated by"
              + " commas, the leader.")
  private List<URI> orchestrators = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Authenticate with this token of the orchestrator, or an API key. Other users can read"
              + " command lines: CASCADE_TOKEN is safer.")
  private @Nullable String token;

  @Option(names = "--json", description = "Print one JSON document on stdout and nothing else.")
  private boolean json;

  @Override
  public Integer call() {
    if (!orchestrators.isEmpty()) {
      print(reported(OrchestratorOptions.client(orchestrators, token).gateway(name)));
      return 0;
    }
    String answer = StatusSocket.ask(control == null ? StatusSocket.usualPath(name) : control);
    print(
        json
            ? answer.strip()
            : StatusText.of(Json.lenient().readValue(answer, GatewayStatus.class)));
    return 0;
  }

  private String reported(io.cascade.api.orchestrator.Gateway gateway) {
    return json ? Json.lenient().writeValueAsString(gateway) : StatusText.of(gateway);
  }

  private void print(String text) {
    spec.commandLine().getOut().println(text);
    spec.commandLine().getOut().flush();
  }
}
