package io.cascade.lab.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.client.terminal.SetupText;
import io.cascade.command.CommandException;
import io.cascade.contract.Quantities;
import io.cascade.lab.demo.LoopbackReport.SetupComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The demonstration's chains through all its relays, and the time of their set-up. */
record DemoChains(
    OrchestratorClient client, HostPort destination, List<String> via, DemoOutput story) {
  private static final int SETUP_ROUNDS = 5;

  /** Opens the chain for the file. */
  Chain open(long bytes) {
    Chain chain = open("demo", bytes, SetupMode.PARALLEL);
    story.say("");
    story.say("Chain %s via %s, set up in parallel".formatted(chain.id(), String.join(", ", via)));
    SetupText.print(setupOf(chain), story.out());
    return chain;
  }

  /**
   * Sets the chain up by both methods, several times in turn: the first set-up loads classes at
   * every relay, so that a single one of each could not be compared.
   */
  SetupComparison compare() {
    List<Double> parallel = new ArrayList<>();
    List<Double> sequential = new ArrayList<>();
    for (int round = 0; round < SETUP_ROUNDS; round++) {
      sequential.add(setUpOnce(SetupMode.SEQUENTIAL));
      parallel.add(setUpOnce(SetupMode.PARALLEL));
    }
    SetupComparison comparison =
        new SetupComparison(SETUP_ROUNDS, median(parallel), median(sequential));
    story.say(
        "  the same chain set up %d times in each way, median: in parallel %s, one relay after the other %s"
            .formatted(
                comparison.rounds(),
                Quantities.millis(comparison.parallelMillis()),
                Quantities.millis(comparison.sequentialMillis())));
    return comparison;
  }

  private double setUpOnce(SetupMode mode) {
    Chain chain = open("demo-comparison", null, mode);
    client.close(chain.id(), true);
    return setupOf(chain).elapsedMillis();
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private Chain open(String name, @Nullable Long bytes, SetupMode setup) {
    return client.open(
        ChainRequest.builder()
            .destination(destination.toString())
            .name(name)
            .via(via)
            .bytes(bytes)
            .setup(setup)
            .build(),
        UUID.randomUUID().toString());
  }

  static SetupReport setupOf(Chain chain) {
    SetupReport setup = chain.setup();
    if (setup == null) {
      throw new CommandException("the orchestrator did not report how long the set-up took");
    }
    return setup;
  }
}
