package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    description = {
      "Let gateways carry packets between two networks, and wait until they do.",
      "The gateways must be running and reporting: cascade gateway up --name gw1 --orchestrator URL"
          + " ..."
    })
final class TunnelOpenVerb implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--from",
      required = true,
      paramLabel = "GATEWAY",
      description = "Use this gateway at one end.")
  private String from;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "GATEWAY",
      description = "Use this gateway at the other end.")
  private String to;

  @Option(
      names = "--via",
      paramLabel = "GATEWAY",
      split = ",",
      description = "Lead through these gateways, in order; each decodes and encodes anew.")
  private List<String> via = List.of();

  @Option(
      names = "--from-prefix",
      required = true,
      paramLabel = "PREFIX",
      description = "Carry packets of this prefix behind the first gateway. Repeatable.")
  private List<String> fromPrefixes = List.of();

  @Option(
      names = "--to-prefix",
      required = true,
      paramLabel = "PREFIX",
      description = "Carry packets of this prefix behind the last gateway. Repeatable.")
  private List<String> toPrefixes = List.of();

  @Option(names = "--name", paramLabel = "NAME", description = "Give the tunnel this name.")
  private @Nullable String name;

  @Override
  public Integer call() throws InterruptedException {
    List<String> gateways = new ArrayList<>(List.of(from));
    gateways.addAll(via);
    gateways.add(to);
    OrchestratorClient client = orchestrator.client();
    Tunnel tunnel = client.openTunnel(new TunnelRequest(name, gateways, fromPrefixes, toPrefixes));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!tunnel.up() && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MILLIS);
      tunnel = client.tunnel(tunnel.tunnelId());
    }
    if (output.json()) {
      output.document(tunnel);
    } else {
      output.out().println(tunnel.tunnelId());
      output.out().flush();
      output.note(
          tunnel.up()
              ? "tunnel " + String.join(" - ", tunnel.gateways()) + " is up"
              : "not up after %d s: %s. It is tried again; see cascade tunnel list"
                  .formatted(PATIENCE.toSeconds(), tunnel.words()));
    }
    return tunnel.up() ? 0 : 1;
  }
}
