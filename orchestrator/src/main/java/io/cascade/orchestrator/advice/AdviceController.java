package io.cascade.orchestrator.advice;

import io.cascade.api.orchestrator.AdviceList;
import io.cascade.api.orchestrator.DestinationAdvice;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.contract.PlanAdvice;
import io.cascade.contract.PlanQuestion;
import io.cascade.orchestrator.contract.AdviceApi;
import io.cascade.orchestrator.planning.ClientQuestions;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.planning.Planner;
import io.cascade.orchestrator.security.Allowances;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AdviceController implements AdviceApi {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Number of plans that a caller may start at once. */
  static final int MOST_BEGUN = 30;

  private static final Duration PER_PLAN = Duration.ofSeconds(2);

  private final SeenDestinations seen;
  private final AdvicePlans plans;
  private final Timekeeper time;

  /**
   * Plans that each caller started: without this bound, asking for advice would be unlimited
   * planning.
   */
  private final Allowances begun;

  AdviceController(
      SeenDestinations seen, Planner planner, ClientQuestions questions, Timekeeper time) {
    this.seen = seen;
    this.time = time;
    this.begun = new Allowances(time, MOST_BEGUN, PER_PLAN);
    this.plans =
        new AdvicePlans(
            (origin, to) ->
                origin.isClient()
                    ? planner.plan(ofClient(questions, origin.name(), to)).document()
                    : fromRelay(planner, origin.name(), to),
            time);
  }

  /**
   * Plans from a relay, without opening the loopback networks of relays to destinations that proxy
   * clients named.
   */
  private static Plan fromRelay(Planner planner, String relay, String destination) {
    PlanRequest question = PlanQuestion.fromRelay(relay, destination);
    return planner.planFrom(relay, question, true).document();
  }

  /** The client's last question; without one the client has measured nothing. */
  private static PlanRequest ofClient(
      ClientQuestions questions, String client, String destination) {
    return questions
        .find(client, destination)
        .map(asked -> asked.toBuilder().measureSeconds(null).trial(false).build())
        .orElseGet(() -> PlanRequest.builder().destination(destination).client(client).build());
  }

  @Override
  public ResponseEntity<AdviceList> advise(@Nullable String destination, Integer limit) {
    List<SeenDestination> those =
        destination == null
            ? seen.latest(limit)
            : seen.find(Destinations.parse(destination)).stream().toList();
    Caller caller = Caller.current();
    List<AdvicePlans.PlanningResult> answers =
        plans.of(
            those.stream()
                .map(one -> new AdvicePlans.Question(one.origin(), one.destination().toString()))
                .toList(),
            PATIENCE,
            () -> caller.owner() == null || begun.take(caller.id()) == 0);
    List<DestinationAdvice> advice = new ArrayList<>();
    for (int i = 0; i < those.size(); i++) {
      advice.add(document(those.get(i), answers.get(i)));
    }
    return ResponseEntity.ok(new AdviceList(advice));
  }

  private DestinationAdvice document(SeenDestination one, AdvicePlans.PlanningResult answer) {
    Plan plan = answer.plan();
    SeenDestination.Origin origin = one.origin();
    String relay = origin.isClient() ? null : origin.name();
    return DestinationAdvice.builder()
        .destination(one.destination().toString())
        .relay(relay)
        .streams(one.streams())
        .bytes(one.bytes())
        .lastSeenAt(time.timeOfDay(one.lastSeen()))
        .directBitsPerSecond(rate(one.directBitsPerSecond()))
        .relayedBitsPerSecond(rate(one.relayedBitsPerSecond()))
        .via(one.via())
        .advice(plan == null ? answer.obstacle() : PlanAdvice.of(plan, relay))
        .plan(plan)
        .client(origin.isClient() ? origin.name() : null)
        .build();
  }

  private static @Nullable Double rate(double bitsPerSecond) {
    return bitsPerSecond > 0 ? (Double) bitsPerSecond : null;
  }
}
