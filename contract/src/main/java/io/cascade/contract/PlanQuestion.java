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

/** Puts the contract's question to the planner into the model's words. */
public final class PlanQuestion {
  private static final int DEFAULT_MAX_RELAYS = 4;

  private PlanQuestion() {}

  /** The question of a relay that has streams to send to a destination. */
  public static PlanRequest fromRelay(String relay, String destination) {
    return PlanRequest.builder()
        .destination(destination)
        .source(Source.builder().relay(relay).build())
        .build();
  }

  /**
   * Everything that a request asks for but its ends and its congestion controls. Relays that are
   * required stand alone: what else may be used or not is then no question.
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
   * Returns what a relay may send with instead of what it usually sends with, by the request and by
   * its own offer. None where the request says what all relays send with.
   *
   * @param offered by the relay
   * @throws IllegalArgumentException where the request names one that has no model
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
   * Returns which hops may be coded: none where the request says TCP or names what TCP is to send
   * with, all that relays offer where it says so, else those where the plan expects it to pay.
   *
   * @param relays that offer coded hops
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

  /** Number of routes together to be shown; 1 for none. */
  public static int paths(PlanRequest request) {
    return Objects.requireNonNullElse(request.paths(), 1);
  }

  /** The decision that the question itself makes, whatever was measured. */
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
