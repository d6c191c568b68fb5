package io.cascade.lab.demo;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.measure.CongestionControl;
import io.cascade.client.measure.LoopbackRate;
import io.cascade.client.measure.PathProbe;
import io.cascade.client.terminal.PlanText;
import io.cascade.contract.Quantities;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demonstration's measurements and the plan that they lead to. */
final class DemoPlan {
  private static final PathProbe PROBE =
      new PathProbe(50, Duration.ofMillis(10), Duration.ofSeconds(3));

  private final OrchestratorClient client;
  private final DemoOutput story;

  DemoPlan(OrchestratorClient client, DemoOutput story) {
    this.client = client;
    this.story = story;
  }

  Plan plan(List<LocalRelay> relays, HostPort destination, long bytes, List<String> via)
      throws IOException, InterruptedException {
    Map<String, HostPort> targets = new LinkedHashMap<>();
    targets.put("destination", destination);
    relays.forEach(relay -> targets.put(relay.name(), HostPort.parse(relay.hop())));
    List<Observation> observations = PROBE.measure(targets);
    Source source =
        Source.builder()
            .observations(observations)
            .congestionControl(CongestionControl.ofThisHost())
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
