package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.api.scap.ScapConnection;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "connections",
    mixinStandardHelpOptions = true,
    description = "List the connections that a running scap knows, at most 1000.",
    footer = {"", "Example: cascade scap connections --control 7790 --json"})
final class ScapConnectionsVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private ControlOptions control = new ControlOptions();

  @Override
  public Integer call() {
    return control.print("/connections", ScapConnectionsVerb::text, spec.commandLine().getOut());
  }

  private static String text(String answer) {
    List<ScapConnection> all = List.of(Json.lenient().readValue(answer, ScapConnection[].class));
    return all.isEmpty()
        ? "no connections"
        : String.join("\n", all.stream().map(ScapConnectionsVerb::line).toList());
  }

  private static String line(ScapConnection connection) {
    return "%s to %s: %s, %s, peer %s, %d octets out"
        .formatted(
            connection.near(),
            connection.far(),
            connection.state(),
            connection.mode() == null ? "not split" : connection.mode(),
            connection.peer(),
            connection.outboundOctets());
  }
}
