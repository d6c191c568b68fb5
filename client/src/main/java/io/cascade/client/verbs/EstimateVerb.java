package io.cascade.client.verbs;

import io.cascade.client.estimate.EstimateText;
import io.cascade.client.estimate.Scenario;
import io.cascade.client.verbs.EstimateSenderOptions.Sender;
import io.cascade.contract.EstimateDocument;
import io.cascade.model.estimate.Estimate;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.estimate.EstimateRequest.Variant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "estimate",
    mixinStandardHelpOptions = true,
    description = {
      "Estimate what a path delivers, directly and through relays; needs no orchestrator.",
      "Give --rtt and --loss for a path, --hops for a chain of hops, or both; --relays cuts a path"
          + " into equal hops. --sweep prints CSV, and --plot draws it."
    })
public final class EstimateVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private EstimateScenarioOptions scenario = new EstimateScenarioOptions();
  @Mixin private EstimateCascadeOptions cascade = new EstimateCascadeOptions();
  @Mixin private EstimateSenderOptions senders = new EstimateSenderOptions();
  @Mixin private EstimatePacketOptions packets = new EstimatePacketOptions();
  @Mixin private EstimateSweepOptions sweep = new EstimateSweepOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    Sender sender = senders.sender();
    if (sweep.isGiven()) {
      sweep.run(
          scenario.fixed(),
          scenario.hasHops(),
          sender.model().title()
              + (senders.variant() == Variant.AS_PUBLISHED ? ", as published" : ""),
          point -> Estimate.of(request(sender, point)),
          output);
      return 0;
    }
    sweep.checkAbsent();
    Estimate estimate = Estimate.of(request(sender, scenario.fixed()));
    if (output.json()) {
      output.document(EstimateDocument.of(estimate));
    } else {
      EstimateText.print(estimate, sender.origin(), output.out());
    }
    return 0;
  }

  private EstimateRequest request(Sender sender, Scenario point) {
    EstimateRequest.Builder request =
        EstimateRequest.of(sender.model()).variant(senders.variant()).framing(packets.framing());
    try {
      request.parameters(senders.parameters());
      scenario.addTo(request, point);
      cascade.addTo(request);
      return request.build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), flagged(String.valueOf(e.getMessage())));
    }
  }

  /** Replaces the model's name of an invalid value by the option's name. */
  private static String flagged(String message) {
    int colon = message.indexOf(':');
    String name = colon < 0 ? message : message.substring(0, colon);
    String option =
        switch (name) {
          case "packetsPerAck" -> "--ack-every";
          case "receiveWindowBytes" -> "--rwnd";
          case "parallelConnections" -> "--parallel";
          case "forwarding" -> "--relay";
          case "relayControls" -> "--controls";
          case "path" -> "--rtt";
          default -> "--" + name;
        };
    return colon < 0 ? message : option + message.substring(colon);
  }
}
