package io.cascade.contract;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.model.planning.Objective;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the contract's question to the planner into the model's words. */
public final class PlanQuestion {
  private static final int DEFAULT_MAX_RELAYS = 4;

  private PlanQuestion() {}

  /**
   * Everything that a request asks for but its ends and its congestion controls. Relays that are
   * required stand alone: what else may be used or not is then no question.
   */
  public static io.cascade.model.planning.PlanRequest.Builder between(
      String from, String to, PlanRequest request) {
    io.cascade.model.planning.PlanRequest.Builder question =
        io.cascade.model.planning.PlanRequest.between(from, to)
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

  private static void limit(
      io.cascade.model.planning.PlanRequest.Builder question, @Nullable RouteLimits limits) {
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

  /** How many routes together are to be shown; 1 for none. */
  public static int paths(PlanRequest request) {
    return Objects.requireNonNullElse(request.paths(), 1);
  }

  /** What the question itself decides, whatever was measured. */
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
