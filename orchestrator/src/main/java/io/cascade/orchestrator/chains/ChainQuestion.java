package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The question to the planner for a chain. */
final class ChainQuestion {
  private static final PlanRequest NO_CONSTRAINTS = PlanRequest.builder().destination("").build();

  private ChainQuestion() {}

  /** Whether the chain is opened from a plan, for which relays probe its destination. */
  static boolean needsPlan(ChainRequest request) {
    return via(request).isEmpty()
        || namesEnds(request)
        || (request.pipes() == null && HopOverrides.toPlan(request) == TransportChoice.AUTO)
        || (request.pipes() == null
            && (request.source() != null
                || Boolean.TRUE.equals(request.onlyIfBetter())
                || leavesControls(request)));
  }

  /** Whether a request says among which congestion controls the planner chooses. */
  private static boolean leavesControls(ChainRequest request) {
    List<String> controls = controls(request);
    return controls != null && !controls.isEmpty();
  }

  /** Whether a request names the two relays between which the planner chooses routes. */
  static boolean namesEnds(ChainRequest request) {
    return request.routes() != null && !via(request).isEmpty();
  }

  /** The question that plans the chain again, with the constraints of its request. */
  static PlanRequest again(ChainRequest request) {
    PlanRequest kept = request.question();
    return kept == null ? of(request, request.source(), List.of(), List.of()) : kept;
  }

  /**
   * @throws Refusal if the destination of the request's question is not the request's own
   */
  static void check(ChainRequest request) {
    RelayPipes.check(request);
    PlanRequest question = request.question();
    if (question != null
        && !Destinations.parse(question.destination())
            .equals(Destinations.parse(request.destination()))) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "question.destination: "
              + question.destination()
              + " (expected: the chain's, "
              + request.destination()
              + ")");
    }
  }

  /**
   * @param source start of the traffic; null if unknown
   * @param culprits relays not to be used, besides those that the request avoids
   * @param among the relays that exist
   */
  static PlanRequest of(
      ChainRequest request,
      @Nullable Source source,
      Collection<String> culprits,
      List<RegisteredRelay> among) {
    Set<String> avoid = new TreeSet<>(culprits);
    avoid.addAll(avoid(request));
    if (via(request).isEmpty()) {
      among.stream()
          .filter(one -> HopProtection.obstacle(HopProtection.asked(request), one).isPresent())
          .forEach(one -> avoid.add(one.name()));
    }
    // Named relays leave the planner nothing to choose, so the constraints do not apply.
    PlanRequest constraints =
        request.question() == null || !via(request).isEmpty() ? NO_CONSTRAINTS : request.question();
    return PlanRequest.builder()
        .destination(request.destination())
        .bytes(request.bytes())
        .source(source)
        .via(request.via())
        .avoid(List.copyOf(avoid))
        .maxRelays(request.maxRelays())
        .congestionControl(request.options() == null ? null : request.options().congestionControl())
        .capacityBitsPerSecond(constraints.capacityBitsPerSecond())
        .objective(constraints.objective())
        .limits(constraints.limits())
        .measureSeconds(request.question() == null ? null : request.question().measureSeconds())
        .controls(controls(request))
        .transport(HopOverrides.toPlan(request))
        .client(request.question() == null ? null : request.question().client())
        .trial(constraints.trial())
        .build();
  }

  /** Whether the chain's plan rests on stored evidence only, without new measurements. */
  static boolean restsOnStored(ChainRequest request) {
    PlanRequest question = request.question();
    return question != null && Boolean.TRUE.equals(question.stored());
  }

  /**
   * Whether the direct way carries part of the chain's data until the end, perhaps through the same
   * bottleneck: a sender uses both ways while the plan is undecided.
   */
  static boolean sharesWithDirect(Chain chain) {
    PlanRequest question = chain.request().question();
    Plan plan = chain.plan();
    return question != null
        && Boolean.TRUE.equals(question.trial())
        && (plan == null || plan.decision() == Decision.UNDECIDED);
  }

  /** The same request, with the start of the traffic added to its question. */
  static ChainRequest from(String client, ChainRequest request) {
    PlanRequest question = request.question();
    return question == null || question.client() != null
        ? request
        : request.toBuilder().question(question.toBuilder().client(client).build()).build();
  }

  /**
   * Congestion controls that the planner may choose from, instead of the default ones; null if any
   * may be used.
   */
  static @Nullable List<String> controls(ChainRequest request) {
    return request.question() == null ? null : request.question().controls();
  }

  /** Relays that the request names, in order; empty if the planner chooses. */
  static List<String> via(ChainRequest request) {
    return RelayPipes.namedRelays(request);
  }

  static List<String> avoid(ChainRequest request) {
    return Objects.requireNonNullElse(request.avoid(), List.of());
  }
}
