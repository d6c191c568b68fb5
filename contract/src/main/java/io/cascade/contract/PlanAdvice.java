package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A plan's advice for a destination, in a few words for a list. */
public final class PlanAdvice {
  private static final long MOST_SURE_PERCENT = 99;

  private PlanAdvice() {}

  /**
   * Advice such as {@code through den, sea: about 4 times as fast as direct (likely 3 to 5), 97 %
   * sure}.
   *
   * @param ingress the relay where the traffic starts, and where every cascade of the plan begins;
   *     null if it starts at a client
   */
  public static String of(Plan plan, @Nullable String ingress) {
    List<String> relays = Objects.requireNonNullElse(plan.relays(), List.of());
    if (!isReached(plan)) {
      return "not known: the destination was not reached during planning";
    }
    if (relays.isEmpty()) {
      return ingress == null
          ? "direct: no relay leads there"
          : "direct: no other relay leads there";
    }
    if (ingress != null && relays.equals(List.of(ingress))) {
      return plan.decision() == Decision.CASCADE
          ? "through " + ingress + ": there is no direct way"
          : "direct: no other relay leads there";
    }
    String via = "through " + String.join(", ", relays);
    return switch (plan.decision()) {
      case CASCADE -> via + ": " + gain(plan) + sure(plan);
      case DIRECT, EQUAL -> "direct is as good";
      case UNDECIDED ->
          "not known: measure with ./cascade plan --to "
              + plan.destination()
              + (ingress == null ? " --test" : " --from " + ingress);
    };
  }

  /** Whether the plan has any way to the destination, direct or not. */
  public static boolean isReached(Plan plan) {
    Candidate direct = PlanReasons.find(plan.candidates(), CandidateKind.DIRECT, List.of());
    boolean relayed = plan.relays() != null && !plan.relays().isEmpty();
    return relayed
        || (direct != null && direct.hops().stream().anyMatch(hop -> hop.rttMillis() != null));
  }

  private static String gain(Plan plan) {
    return new PlanSentence(
            plan.decision(), plan.relays(), plan.candidates(), plan.probabilityCascadeWins())
        .timesAsFast()
        .orElse("the direct way is not known");
  }

  private static String sure(Plan plan) {
    Double wins = plan.probabilityCascadeWins();
    return wins == null
        ? ""
        : ", " + Math.min(MOST_SURE_PERCENT, Math.round(wins * 100)) + " % sure";
  }
}
