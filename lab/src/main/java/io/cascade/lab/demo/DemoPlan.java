package io.cascade.lab.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.measure.PathProbe;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.ways.OwnPaths;
import io.cascade.contract.Quantities;
import io.cascade.kernel.settings.KernelSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The demonstration's measurements and the resulting plan. */
record DemoPlan(OrchestratorClient client, DemoOutput story) {
  private static final PathProbe PROBE = new PathProbe(50, OwnPaths.SPACING, Duration.ofSeconds(3));

  Plan plan(HostPort destination, long bytes, List<String> via)
      throws IOException, InterruptedException {
    Source source =
        Source.builder()
            .observations(OwnPaths.to(destination, client, _ -> true).measure(PROBE))
            .congestionControl(KernelSettings.congestionControl())
            .build();
    long capacity = LoopbackRate.measure();
    Plan plan = client.plan(request(destination, bytes, source, capacity, null));
    story.say("");
    story.say(
        "One connection over loopback carries %s here: taken as the capacity of every link."
            .formatted(Quantities.rate((double) capacity)));
    PlanText.print(plan, story.out());
    // The planner leaves out what cannot win: ask for the demo's own relays by name.
    Plan named = client.plan(request(destination, bytes, source, capacity, via));
    Candidate direct = PlanText.candidate(plan, CandidateKind.DIRECT, List.of());
    Candidate cascade = PlanText.candidate(named, CandidateKind.CASCADE, via);
    story.say(
        "Predicted: directly %s, through %s %s."
            .formatted(
                Quantities.seconds(direct == null ? null : direct.seconds()),
                String.join(", ", via),
                Quantities.seconds(cascade == null ? null : cascade.seconds())));
    if (plan.decision() != Decision.CASCADE) {
      story.say(
          "The demo opens the cascade nevertheless: to show one is its job. On loopback there is no"
              + " latency and no loss to win back, so expect no gain here; between distant sites the"
              + " same plan decides differently.");
    }
    return plan;
  }

  private static PlanRequest request(
      HostPort destination,
      long bytes,
      Source source,
      long capacityBitsPerSecond,
      @Nullable List<String> via) {
    return PlanRequest.builder()
        .destination(destination.toString())
        .bytes(bytes)
        .source(source)
        .via(via)
        .capacityBitsPerSecond(capacityBitsPerSecond)
        .build();
  }
}
