package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.client.terminal.PlanText;
import io.cascade.command.DataSize;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Would a cascade pay, and through which relays? Changes nothing.",
      "Prints every candidate with its predicted time and rate, the decision and its reasons."
    })
public final class PlanVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();
  @Mixin private PathOptions path = new PathOptions();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "The destination.")
  private HostPort to;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "How much is to be moved, such as 1GiB. Without it: a stream without an end.")
  private @Nullable DataSize bytes;

  @Option(
      names = "--congestion-control",
      paramLabel = "NAME",
      description = "Of the hops between relays, such as reno, cubic or bbr.")
  private @Nullable String congestionControl;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Assumed for links whose capacity nobody has said, such as 100Mbit.")
  private @Nullable BitRate capacity;

  @Override
  public Integer call() throws InterruptedException {
    OrchestratorClient client = orchestrator.client();
    Plan plan =
        client.plan(
            new PlanRequest(
                to.toString(),
                bytes == null || bytes.bytes() == 0 ? null : (Long) bytes.bytes(),
                path.source(client, to, output),
                path.viaOrNull(),
                path.avoidOrNull(),
                path.maxRelays(),
                congestionControl,
                capacity == null ? null : (Long) capacity.bitsPerSecond()));
    if (output.json()) {
      output.document(plan);
    } else {
      PlanText.print(plan, output.out());
    }
    return 0;
  }
}
