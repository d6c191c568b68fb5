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

  /** Whether a chain is opened by a plan, for which relays probe its destination. */
  static boolean needsPlan(ChainRequest request) {
    return via(request).isEmpty()
        || namesEnds(request)
        || (request.pipes() == null && HopOverrides.toPlan(request) == TransportChoice.AUTO)
        || (request.pipes() == null
            && (request.source() != null
                || Boolean.TRUE.equals(request.onlyIfBetter())
                || leavesControls(request)));
  }

  /** Returns whether a request says among which congestion controls the planner chooses. */
  private static boolean leavesControls(ChainRequest request) {
    List<String> controls = controls(request);
    return controls != null && !controls.isEmpty();
  }

  /** Returns whether a request names the two relays between which the planner chooses routes. */
  static boolean namesEnds(ChainRequest request) {
    return request.routes() != null && !via(request).isEmpty();
  }

  /** The question that plans the chain anew, as it was asked at first. */
  static PlanRequest again(ChainRequest request) {
    PlanRequest kept = request.question();
    return kept == null ? of(request, request.source(), List.of(), List.of()) : kept;
  }

  /**
   * @throws Refusal where a request's question leads elsewhere than the request
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
   * @param source where the traffic starts, where that is known
   * @param culprits not to be used, besides those that the request avoids
   * @param among relays that there are
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
    // Relays that were named are those: nothing is left to choose by anything.
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

  /** Whether the chain is to be opened by what is stored alone. */
  static boolean restsOnStored(ChainRequest request) {
    PlanRequest question = request.question();
    return question != null && Boolean.TRUE.equals(question.stored());
  }

  /**
   * Whether the direct way carries a share of the chain's data until the end, perhaps over the same
   * bottleneck: a sender that goes both ways does so where the plan is undecided.
   */
  static boolean sharesWithDirect(Chain chain) {
    PlanRequest question = chain.request().question();
    Plan plan = chain.plan();
    return question != null
        && Boolean.TRUE.equals(question.trial())
        && (plan == null || plan.decision() == Decision.UNDECIDED);
  }

  /** The same request, whose question says where the traffic starts. */
  static ChainRequest from(String client, ChainRequest request) {
    PlanRequest question = request.question();
    return question == null || question.client() != null
        ? request
        : request.toBuilder().question(question.toBuilder().client(client).build()).build();
  }

  /** Congestion controls that may be used in place of the usual ones; null where any may. */
  static @Nullable List<String> controls(ChainRequest request) {
    return request.question() == null ? null : request.question().controls();
  }

  /** Relays that somebody named, in order; empty where the planner chooses. */
  static List<String> via(ChainRequest request) {
    return RelayPipes.namedRelays(request);
  }

  static List<String> avoid(ChainRequest request) {
    return Objects.requireNonNullElse(request.avoid(), List.of());
  }
}
