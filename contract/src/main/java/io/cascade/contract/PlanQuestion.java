package io.cascade.contract;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import io.cascade.model.planning.CodedHops;
import io.cascade.model.planning.Objective;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts the contract's request for a plan to the model's question. */
public final class PlanQuestion {
  private static final int DEFAULT_MAX_RELAYS = 4;

  private PlanQuestion() {}

  /** The request of a relay that has streams for a destination. */
  public static PlanRequest fromRelay(String relay, String destination) {
    return PlanRequest.builder()
        .destination(destination)
        .source(Source.builder().relay(relay).build())
        .build();
  }

  /**
   * Everything in a request except its ends and its congestion controls. If relays are required,
   * the relays to avoid are ignored.
   */
  public static RouteQuestion.Builder between(String from, String to, PlanRequest request) {
    RouteQuestion.Builder question =
        RouteQuestion.between(from, to)
            .maxRelays(Objects.requireNonNullElse(request.maxRelays(), DEFAULT_MAX_RELAYS));
    Long bytes = request.bytes();
    if (bytes != null) {
      question.bytes(bytes);
    }
    List<String> via = request.via();
    if (via == null || via.isEmpty()) {
      question.avoid(set(request.avoid()));
    } else {
      question.via(via);
    }
    limit(question, request.limits());
    if (request.objective() != null) {
      question.objective(Objective.valueOf(request.objective().name()));
    }
    return question;
  }

  private static void limit(RouteQuestion.Builder question, @Nullable RouteLimits limits) {
    if (limits == null) {
      return;
    }
    question.allowedSites(set(limits.allowedSites())).forbiddenSites(set(limits.forbiddenSites()));
    Double perGib = limits.mostPricePerGib();
    if (perGib != null) {
      question.mostPricePerGibibyte(perGib);
    }
    Double perHour = limits.mostPricePerHour();
    if (perHour != null) {
      question.mostPricePerHour(perHour);
    }
    Double rate = limits.leastBitsPerSecond();
    if (rate != null) {
      question.leastPriceFor(new Rate(rate));
    }
  }

  /**
   * Returns the congestion controls that a relay may use instead of its usual one, by the request
   * and by its own offer. Empty if the request names the control of all relays.
   *
   * @param offered controls that the relay offers
   * @throws IllegalArgumentException if the request names one that has no model
   */
  public static Set<CongestionControl> controls(
      PlanRequest request, @Nullable List<String> offered) {
    List<String> asked = request.controls();
    Set<CongestionControl> allowed = EnumSet.complementOf(EnumSet.of(CongestionControl.CODED));
    if (asked != null) {
      allowed.retainAll(asked.stream().map(PlanQuestion::control).toList());
    }
    if (request.congestionControl() != null || offered == null) {
      return Set.of();
    }
    allowed.retainAll(
        offered.stream().flatMap(name -> CongestionControl.named(name).stream()).toList());
    return allowed;
  }

  /**
   * Returns which hops may be coded: none if the request says TCP or names a congestion control of
   * TCP, all that relays offer if it says coded, otherwise those where the plan expects a gain.
   *
   * @param relays relays that offer coded hops
   */
  public static CodedHops coded(PlanRequest request, Set<String> relays) {
    CodedHops.Use use =
        switch (request.transport()) {
          case null ->
              request.congestionControl() == null
                  ? CodedHops.Use.WHERE_FASTER
                  : CodedHops.Use.NEVER;
          case TCP -> CodedHops.Use.NEVER;
          case AUTO -> CodedHops.Use.WHERE_FASTER;
          case CODED -> CodedHops.Use.ALWAYS;
        };
    return new CodedHops(use, relays);
  }

  private static CongestionControl control(String name) {
    return CongestionControl.named(name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "controls: '" + name + "' (expected: some of reno, cubic, bbr, bbr3)"));
  }

  /** Number of routes to show together; 1 for none. */
  public static int paths(PlanRequest request) {
    return Objects.requireNonNullElse(request.paths(), 1);
  }

  /** Notes on what the request itself decides, independently of measurements. */
  public static List<String> notes(PlanRequest request) {
    List<String> notes = new ArrayList<>();
    if (request.via() != null && !request.via().isEmpty()) {
      notes.add("The relays were required, whether or not they are faster.");
    }
    if (request.objective() == PlanObjective.PRICE) {
      notes.add("The price decides between ways that reach the required rate, not the time.");
    }
    return notes;
  }

  private static Set<String> set(@Nullable List<String> names) {
    return names == null ? Set.of() : Set.copyOf(names);
  }
}
