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
      "What a gateway has done, and how its links are: one of this machine, or with --orchestrator"
          + " one that reports there, by its last report."
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
      description = "Of the gateway, as up was given it (${DEFAULT-VALUE}).")
  private String name = "gateway";

  @Option(
      names = "--control",
      paramLabel = "FILE",
      description = "Socket at which it answers, where up was given one.")
  private @Nullable Path control;

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      split = ServerAddress.SEPARATOR,
      splitSynopsisLabel = ",",
      description =
          "Ask this orchestrator, of several, with commas between, the one that leads, instead of a"
              + " gateway of this machine.")
  private List<URI> orchestrators = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The orchestrator's bearer token. Others can read command lines: CASCADE_TOKEN is safer.")
  private @Nullable String token;

  @Option(names = "--json", description = "Print JSON.")
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
