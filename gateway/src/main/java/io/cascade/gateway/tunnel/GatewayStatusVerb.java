package io.cascade.gateway.tunnel;

import io.cascade.api.Json;
import java.nio.file.Path;
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
    description = "What a gateway of this machine has done, and how its links are.",
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

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    String answer = StatusSocket.ask(control == null ? StatusSocket.usualPath(name) : control);
    spec.commandLine()
        .getOut()
        .println(
            json
                ? answer.strip()
                : StatusText.of(Json.lenient().readValue(answer, GatewayStatus.class)));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
